-- Node's http.Agent and fetch keep a connection open between requests. Both turn keepalive on.
local http = include "http.lib.lua"
local expect_acknowledged = include "acknowledged.lib.lua"
local expect_reset = include "reset.lib.lua"
local gives_up = include "gives_up.lib.lua"
local firewall = include "firewall.lib.lua"
local READ_LINES = [[require("readline").createInterface({ input: process.stdin }).on("line", ]]
local HTTP = [[
const http = require("http");
const agent = new http.Agent({ keepAlive: true });
]] .. READ_LINES .. [[() => {
  http.get("http://kodos:8080/", { agent }, (answer) => answer.pipe(process.stdout))
    .on("error", (error) => console.log("failed:", error.code));
});
]]
local FETCH = READ_LINES .. [[() => {
  fetch("http://kodos:8080/").then((answer) => answer.text()).then(console.log)
    .catch((error) => console.log("failed:", error.cause.code));
});
]]

local function request_fails(lab, client, kodos)
  local server = http.power_cycle(lab, kodos)
  client:type "get\n"
  expect_reset(lab, client)
  lab:expect(client):prints "failed: ECONNRESET"
  lab:never(server, 0.3):call("accept"):returns()
end

return {
  title = "Node and a server that fails",
  asks = "What does a Node program learn when its server has restarted, or cannot be reached?",
  source = "Node: http.Agent, keepAliveMsecs; undici: Client, connect; libuv: uv__tcp_keepalive()",
  tags = { "programs", "power", "keepalive" },
  needs = { "program node" },
  cases = {
    {
      name = "http-waiting",
      title = "Node's http waits for an answer, and the server gets a power cycle",
      here = "One second later: the first keepalive probe gets a RST, and the request fails with "
        .. "ECONNRESET. Node 20, measured on Linux 6.18.",
      why = "http.Agent with keepAlive sets TCP_KEEPIDLE to keepAliveMsecs, 1 s by default. libuv "
        .. "sets TCP_KEEPINTVL to 1 s and TCP_KEEPCNT to 10.",
      run = function(lab, client, kodos, server)
        client:type "get\n"
        local heard = http.expect_request(lab, server)
        kodos:power_cycle()
        local probe = lab:expect_packet("kang > kodos", "keepalive probe")
        lab:expect_time(probe.t - heard.t, 1, "TCP_KEEPIDLE")
        expect_reset(lab, client)
        lab:expect(client):prints "failed: ECONNRESET"
      end,
    },
    {
      name = "http-waiting-power-off",
      title = "Node's http waits for an answer, and the server loses its power",
      here = "When the keepalive probes have gone unanswered: after 1 s and ten times 1 s. recv "
        .. "fails with ETIMEDOUT, and so does the request. Node 20, measured on Linux 6.18.",
      why = "http.Agent with keepAlive sets the keepalive time to 1 s, and libuv sets ten probes, "
        .. "1 s apart. Both replace the kernel's times. So Node is one of the few clients that "
        .. "notice this with their defaults.",
      run = function(lab, client, kodos, server)
        client:type "get\n"
        local heard = http.expect_request(lab, server)
        kodos:power_off()
        gives_up.expect(lab, client, "keepalive_timeout", heard.t)
        lab:expect(client):prints "failed: ETIMEDOUT"
      end,
    },
    {
      name = "http-idle-briefly",
      title = "Node's http sends on an idle connection, just after a power cycle of the server",
      here = "The request fails at once with ECONNRESET, although the server is there again. Node "
        .. "20 does not repeat it. Measured on Linux 6.18.",
      why = "The connection was idle for less than a second, so keepalive has not yet sent a "
        .. "probe. The agent believes that the connection is alive, and the new kernel answers the "
        .. "request with a RST.",
      run = function(lab, client, kodos)
        lab:lose("kang > kodos", "keepalive probe")  -- on a busy machine a second may pass
        request_fails(lab, client, kodos)
      end,
    },
    {
      name = "http-idle",
      title = "Node's http sends on a connection that was idle during a power cycle of the server",
      here = "Nothing: the program gets its answer. Node 20, measured on Linux 6.18.",
      why = "After one idle second the keepalive probe gets a RST, and the agent drops the "
        .. "connection before a request needs it. The next request opens a new one.",
      run = function(lab, client, kodos)
        local server = http.power_cycle(lab, kodos)
        lab:expect_packet("kang > kodos", "keepalive probe")
        expect_reset(lab, client)
        lab:expect(client):call("close"):returns(0)
        client:type "get\n"
        http.expect_answer(lab, client, server, "second answer")
      end,
    },
    {
      name = "http-firewall",
      gateway = true,
      title = "Node's http sends on an idle connection behind a firewall that forgets",
      here = "Nothing: the program gets its answer on the old connection. Node 20, measured on "
        .. "Linux 6.18.",
      why = "http.Agent with keepAlive sends a keepalive probe after each idle second. Each probe "
        .. "and its answer cross the firewall, which then counts from zero again.",
      run = function(lab, client, _, server)
        firewall.wait_until_it_forgets(lab)
        client:type "get\n"
        http.expect_answer(lab, client, server, "second answer")
      end,
    },
    {
      name = "fetch-idle",
      script = FETCH,
      title = "Node's fetch sends on a connection that was idle during a power cycle of the server",
      here = "The request fails at once with ECONNRESET, although the server is there again. Node "
        .. "20 does not repeat it. Measured on Linux 6.18.",
      why = "fetch sets TCP_KEEPIDLE to 60 s, and keeps an idle connection for 4 s by default. So "
        .. "it never sends a probe on one.",
      run = function(lab, client, kodos)
        lab:expect(client):call("setsockopt", "TCP_KEEPIDLE = 60"):returns(0)
        request_fails(lab, client, kodos)
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos, gateway
    if case.gateway then
      kang, kodos, gateway = firewall.hosts(lab)
    else
      kang, kodos = lab:pair()
    end
    local server = kodos:dnc("-l", 8080)
    local client = kang:run("node", "-e", case.script or HTTP)
    client:type "get\n"
    http.expect_answer(lab, client, server, "first answer")
    expect_acknowledged(lab, kodos, gateway or kang)
    case.run(lab, client, kodos, server)
  end,
}
