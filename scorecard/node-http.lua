-- Node's http with an agent that keeps connections. Two requests on one connection, with a pause
-- between them.
-- Packages: nodejs
local http = include "servers/http.lib.lua"
local CLIENT = [[
const http = require("http");
const agent = new http.Agent({ keepAlive: true });
function get(then) {
  http.get("http://SERVER/page", { agent }, (answer) => {
    let size = 0;
    answer.on("data", (piece) => { size += piece.length; });
    answer.on("error", fail);
    answer.on("end", () => { console.log(size); then(); });
  }).on("error", fail);
}
function fail(error) { console.error(String(error)); process.exit(1); }
get(() => setTimeout(() => get(() => process.exit(0)), 1000));
]]

return http.audit {
  title = "Node http",
  needs = { "program node" },
  client = { "node", "-e", CLIENT },
}
