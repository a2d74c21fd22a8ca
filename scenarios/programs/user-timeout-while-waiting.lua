-- A client sets TCP_USER_TIMEOUT, sends a request, and waits. The server acknowledges the request,
-- and then loses its power.
local CLIENT = [[
import socket
server = socket.create_connection(("kodos", 8080))
server.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000)
server.sendall(b"request")
server.recv(100)
]]

return {
  title = "TCP_USER_TIMEOUT does not help a client that waits",
  asks = "Does TCP_USER_TIMEOUT end the wait for a server without power?",
  source = "tcp(7), TCP_USER_TIMEOUT; RFC 5482",
  here = "No. The client waits in recv forever, and neither end sends a segment. Measured on Linux "
    .. "6.18.",
  why = "The option limits how long data may stay unacknowledged. The server acknowledged the "
    .. "request, so there is none. Keepalive would send probes, and together with it the option "
    .. "works.",
  tags = { "programs", "power", "options" },
  needs = { "program python3" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:run("python3", "-c", CLIENT)
    lab:expect(client):within(20):in_state "ESTABLISHED"
    lab:expect(server):call("accept"):returns()
    lab:expect(client):call("setsockopt", "TCP_USER_TIMEOUT = 1000"):returns(0)
    lab:expect(client):call("send"):returns(7)
    lab:expect_packet("kodos > kang", "ACK only")
    lab:expect(client):call("recv"):is_entered()

    kodos:power_off()
    lab:never(client, 3):notices()
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
