-- Node's fetch as it is: 10 s for connecting, 300 s for the head of the answer. Two requests on one
-- connection, with a pause between them.
-- Packages: nodejs
local http = include "servers/http.lib.lua"
local CLIENT = [[
async function get() {
  console.log((await (await fetch("http://SERVER/page")).text()).length);
}
get().then(() => new Promise((done) => setTimeout(done, 1000))).then(get).then(
  () => process.exit(0),
  (error) => { console.error(String(error), String(error.cause)); process.exit(1); });
]]

return http.audit {
  title = "Node fetch",
  needs = { "program node" },
  client = { "node", "-e", CLIENT },
}
