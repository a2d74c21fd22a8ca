-- grpc-go sets TCP_USER_TIMEOUT to 20 s, and Go's dialer sets keepalive to 15 s. One keepalive
-- probe is lost. A Python program sets the same options, in the same proportion.
local CLIENT = [[
import socket, sys
server = socket.create_connection(("kodos", 8080))
server.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
for option, value in (("KEEPIDLE", 2), ("KEEPINTVL", 2), ("KEEPCNT", 9)):
    server.setsockopt(socket.IPPROTO_TCP, getattr(socket, "TCP_" + option), value)
if sys.argv[1] != "0":
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(sys.argv[1]))
print("ready", flush=True)
server.recv(100)
]]

local function lose_one_probe(lab)
  lab:lose("kang > kodos", "keepalive probe", { count = 1 })
  return lab:expect_packet("kang > kodos", "keepalive probe", { fate = "lost" })
end

return {
  title = "One lost keepalive probe, with and without TCP_USER_TIMEOUT",
  asks = "Does one lost keepalive probe end a connection?",
  source = "grpc/grpc-go#6250: with keepalive of 15 s and TCP_USER_TIMEOUT of 20 s, one lost "
    .. "keepalive packet ends the connection, and TCP_KEEPCNT=9 has no effect",
  tags = { "clients", "keepalive", "options" },
  needs = { "program python3" },
  cases = {
    {
      name = "user-timeout",
      title = "One lost keepalive probe, with TCP_USER_TIMEOUT",
      user_timeout = 3000,
      here = "Yes: the claim holds. At the second keepalive timer nothing has come for two idle "
        .. "times, which is longer than TCP_USER_TIMEOUT. The kernel ends the connection, and "
        .. "sends a RST to a server that is healthy. A Python program with Go's options, measured "
        .. "on Linux 6.18.",
      why = "tcp_keepalive_timer() does not count probes if TCP_USER_TIMEOUT is set. Let "
        .. "TCP_USER_TIMEOUT be at least idle + interval x the number of probes that may be lost.",
      expect = function(lab, client, kang)
        local heard = lab:expect_packet("kodos > kang", "SYN ACK")
        lose_one_probe(lab)
        local limit = lab:timer("keepalive_timeout", client)
        local reset = lab:expect_packet("kang > kodos", "RST", { within = 2 * limit })
        lab:expect_time(reset.t - heard.t, limit, "giving up")
        lab:expect(client):call("recv"):fails "ETIMEDOUT"
        lab:expect(kang):has_no_connection()
      end,
    },
    {
      name = "probes-count",
      title = "One lost keepalive probe, without TCP_USER_TIMEOUT",
      here = "No. The next probe is answered, and the connection lives. A Python program with Go's "
        .. "keepalive, measured on Linux 6.18.",
      why = "Without TCP_USER_TIMEOUT, TCP_KEEPCNT probes in a row must stay unanswered.",
      expect = function(lab, client)
        lose_one_probe(lab)
        lab:expect_packet("kang > kodos", "keepalive probe", { fate = "delivered" })
        lab:expect_packet("kodos > kang", "ACK only")
        lab:never(client, 2):notices()
        lab:expect(client):still_in_state "ESTABLISHED"
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local client = kang:run("python3", "-c", CLIENT, case.user_timeout or 0)
    lab:expect(client):within(20):prints "ready"
    lab:expect(client):in_state "ESTABLISHED"
    case.expect(lab, client, kang)
  end,
}
