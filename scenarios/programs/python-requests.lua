-- A Session of Python's requests keeps its connection open. The second request meets the failure.
local http = include "http.lib.lua"
local expect_acknowledged = include "acknowledged.lib.lua"
local expect_reset = include "reset.lib.lua"
local gives_up = include "gives_up.lib.lua"
local unplug_while_sending = include "cable.lib.lua"
local CLIENT = [[
import sys, requests
session = requests.Session()
session.trust_env = False
timeout = float(sys.argv[1]) or None
print("ready", flush=True)
for line in sys.stdin:
    try:
        print(session.get("http://kodos:8080/", timeout=timeout).text, flush=True)
    except requests.RequestException as error:
        print(type(error).__name__, error, flush=True)
]]

return {
  title = "Python requests on an idle connection",
  asks = "What does a Python program learn when its next request finds the server gone?",
  source = "requests: Session, timeout; urllib3: is_connection_dropped()",
  tags = { "programs", "power" },
  needs = { "program python3" },
  cases = {
    {
      name = "power-off",
      title = "Python requests: the server lost its power while the connection was idle",
      here = "Without a timeout, recv fails with ETIMEDOUT when the kernel gives up: after 15 "
        .. "minutes by default. requests 2.34 calls that \"Read timed out. (read timeout=None)\", "
        .. "as if the program had set a timeout. Measured on Linux 6.18.",
      why = "The request is never acknowledged, so tcp_retries2 limits the wait. For Python, "
        .. "ETIMEDOUT is a TimeoutError, as when a timeout of the program is over.",
      run = function(lab, client, kodos)
        kodos:power_off()
        gives_up.expect_on_request(lab, client, "get\n")
        lab:expect(client):prints "Read timed out. (read timeout=None)"
      end,
    },
    {
      name = "power-cycle",
      title = "Python requests: the server got a power cycle while the connection was idle",
      here = "At once: recv fails with ECONNRESET, and the program gets a ConnectionError. "
        .. "requests 2.34 does not try again, although the server is there. Measured on Linux "
        .. "6.18.",
      why = "The new kernel answers the request with a RST. requests retries nothing by default "
        .. "(max_retries=0), because the server may have handled the request.",
      run = function(lab, client, kodos)
        local server = http.power_cycle(lab, kodos)
        client:type "get\n"
        expect_reset(lab, client)
        lab:expect(client):prints "ConnectionError"
        lab:expect(client):prints "Connection reset by peer"
        lab:never(server, 0.3):call("accept"):returns()
      end,
    },
    {
      name = "server-restarted",
      title = "Python requests: the server was restarted while the connection was idle",
      here = "Nothing: the program gets its answer. Before requests 2.34 sends on an idle "
        .. "connection, it polls it, sees the FIN, and opens a new one. Measured on Linux 6.18.",
      why = "The server's kernel was alive, and sent a FIN when the program ended. For poll, the "
        .. "end of the stream is readable. urllib3 closes an idle connection that is readable.",
      run = function(lab, client, kodos, server)
        server:stop()
        lab:expect(client):in_state "CLOSE_WAIT"
        lab:expect(server):killed_by "SIGTERM"
        local new_server = kodos:dnc("-l", 8080)
        client:type "get\n"
        lab:expect(client):wakes "IN"
        lab:expect(client):call("close"):returns(0)
        lab:expect(client):call("connect"):returns(0)
        http.expect_answer(lab, client, new_server, "second answer")
      end,
    },
    {
      name = "cable-out",
      title = "Python requests: the cable was out when the request was sent",
      here = "Nothing but a long wait: the program gets its answer. The request arrives with the "
        .. "first retransmission after the cable is back. So the wait can be twice as long as the "
        .. "outage: 53 to 55 s for 30 s without a cable. Measured on Linux 6.18.",
      why = "Each retransmission waits twice as long as the one before. Nobody tells the kernel "
        .. "that the cable is back. A timeout of the program has to be longer than that, or the "
        .. "outage becomes an error.",
      run = function(lab, client, kodos, server)
        unplug_while_sending(lab, kodos, function()
          client:type "get\n"
          return lab:expect_packet("kang > kodos", "data", { fate = "lost" })
        end)
        http.expect_answer(lab, client, server, "second answer")
      end,
    },
    {
      name = "server-frozen",
      timeout = 1,
      title = "Python requests with a timeout: the server is frozen",
      here = "When the timeout is over, here 1 s: poll returns 0, and no call fails. Without a "
        .. "timeout, requests 2.34 waits until the server runs again. Measured on Linux 6.18.",
      why = "The kernel of a frozen program acknowledges the request. So nothing is "
        .. "unacknowledged, and keepalive probes would be answered, too.",
      run = function(lab, client, _, server)
        server:freeze()
        client:type "get\n"
        local request = lab:expect(client):call("send"):returns()
        local wait = lab:expect(client):times_out()
        lab:expect_time(wait.t - request.t, 1, "the timeout of the program")
        lab:expect(client):prints "Read timed out. (read timeout=1.0)"
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:run("python3", "-c", CLIENT, case.timeout or 0)
    if not lab:await(client, 20):prints "ready" then
      lab:skip "the Python module requests is not installed"
    end
    client:type "get\n"
    http.expect_answer(lab, client, server, "first answer")
    lab:expect(client):call("send"):returns()
    expect_acknowledged(lab, kodos, kang)
    case.run(lab, client, kodos, server)
  end,
}
