-- haproxy keeps the connection to its server for the next request of the same client.
local http = include "http.lib.lua"
local expect_acknowledged = include "acknowledged.lib.lua"
local expect_reset = include "reset.lib.lua"
local SERVER_TIMEOUT = 1
local CONFIGURATION = [[
defaults
  mode http
  timeout connect 1s
  timeout client 10s
  timeout server ]] .. SERVER_TIMEOUT .. [[s
listen web
  bind :80,:::80 v6only
  server one kodos:8080
]]

return {
  title = "haproxy with an idle connection to its server",
  asks = "What does a client of haproxy see when the server behind haproxy fails?",
  source = "haproxy configuration manual: timeout server, http-reuse, retry-on",
  tags = { "programs", "power", "proxy" },
  needs = { "program haproxy" },
  cases = {
    {
      name = "power-off",
      title = "haproxy: the server lost its power while the connection was idle",
      here = "504 Gateway Time-out, when \"timeout server\" is over: 1 s here. It has no default. "
        .. "No system call of haproxy 2.6 fails. Measured on Linux 6.18.",
      why = "haproxy does not turn keepalive on, and its timer is shorter than tcp_retries2.",
      run = function(lab, client, kodos, ask, haproxy)
        kodos:power_off()
        ask()
        local request = lab:expect(haproxy):call("send"):returns()
        lab:expect(client):prints "HTTP/1.1 504 Gateway Time-out"
        local answer = lab:expect(client):call("read"):returns()
        lab:expect_time(answer.t - request.t, SERVER_TIMEOUT, "timeout server")
      end,
    },
    {
      name = "power-cycle",
      title = "haproxy: the server got a power cycle while the connection was idle",
      here = "It reads the end of its connection, and no answer. haproxy 2.6 gets ECONNRESET, and "
        .. "does not repeat the request: the client has to. Measured on Linux 6.18.",
      why = "Both connections have carried a request before. So haproxy passes the failure on, "
        .. "and leaves the decision to the client. By default \"retry-on\" repeats a "
        .. "request only if connecting fails.",
      run = function(lab, client, kodos, ask, haproxy)
        local server = http.power_cycle(lab, kodos)
        ask()
        expect_reset(lab, haproxy, "kodos > krusty")
        lab:expect(client):call("read"):returns(0)
        lab:never(server, 0.3):call("accept"):returns()
      end,
    },
    {
      name = "server-restarted",
      title = "haproxy: the server was restarted while the connection was idle",
      here = "It gets its answer. haproxy 2.6 reads the end of the stream when the FIN arrives, "
        .. "and closes the idle connection. Measured on Linux 6.18.",
      why = "haproxy waits for its idle connections, too, as nginx does. For the next request it "
        .. "opens a new one.",
      run = function(lab, client, kodos, ask, haproxy, server)
        server:stop()
        lab:expect(haproxy):call("recv"):returns(0)
        lab:expect(haproxy):call("close"):returns(0)
        lab:expect(server):killed_by "SIGTERM"
        local new_server = kodos:dnc("-l", 8080)
        ask()
        http.expect_answer(lab, client, new_server, "second answer")
      end,
    },
  },

  run = function(lab, case)
    local kang, krusty, kodos = lab:hosts { "kang", "krusty", "kodos" }
    local server = kodos:dnc("-l", 8080)
    krusty:file("/tmp/haproxy.cfg", CONFIGURATION)
    local haproxy = krusty:service {
      "haproxy", "-db", "-f", "/tmp/haproxy.cfg", ready = { port = 80 },
    }
    lab:expect(haproxy):call("poll"):is_entered()
    local client = kang:dnc(krusty, 80)
    local function ask() client:type "GET / HTTP/1.1\r\nHost: krusty\r\n\r\n" end

    ask()
    http.expect_answer(lab, client, server, "first answer")
    expect_acknowledged(lab, kodos, krusty)
    lab:expect(client):call("read"):returns()
    lab:expect(haproxy):call("send"):returns(32)
    lab:expect(haproxy):call("send"):returns()
    case.run(lab, client, kodos, ask, haproxy, server)
  end,
}
