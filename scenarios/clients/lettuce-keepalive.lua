-- A client of redis sends one command after the other on a connection whose server is gone. lettuce
-- itself is not packaged for Debian, so a Python program sets the socket options of the thread.
local CLIENT = [[
import socket, sys, time
server = socket.create_connection(("kodos", 6379))
server.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
for option, value in (("KEEPIDLE", 1), ("KEEPINTVL", 1), ("KEEPCNT", 1)):
    server.setsockopt(socket.IPPROTO_TCP, getattr(socket, "TCP_" + option), value)
if sys.argv[1] != "0":
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
try:
    while True:
        server.sendall(b"PING\r\n")
        time.sleep(0.1)
except OSError as error:
    print(error.strerror, flush=True)
]]

return {
  title = "A busy client whose server is gone: keepalive and TCP_USER_TIMEOUT",
  asks = "Does keepalive help a client that goes on sending to a server without power?",
  source = "redis/lettuce#2082: requests time out for 15 to 20 minutes; keepalive does not help a "
    .. "client that sends continuously, TCP_USER_TIMEOUT does",
  tags = { "clients", "power", "keepalive", "options" },
  needs = { "program python3" },
  cases = {
    {
      name = "keepalive",
      title = "A busy client with keepalive: the server loses its power",
      timer = "r2",
      here = "No: the claim holds. The connection dies when the kernel gives up on the first "
        .. "command: after 924 s or more by default, the 15 minutes of the thread. Keepalive "
        .. "should have needed 2 s here. A Python program with the options of the thread, measured "
        .. "on Linux 6.18.",
      why = "The kernel sends no keepalive probe while data is unacknowledged. So tcp_retries2 "
        .. "decides. Each new command joins the send buffer, and does not shorten the wait.",
    },
    {
      name = "user-timeout",
      title = "A busy client with TCP_USER_TIMEOUT: the server loses its power",
      user_timeout = 1500,
      tolerance = 0.3,
      timer = "user_timeout",
      here = "TCP_USER_TIMEOUT does: the claim holds. send fails with ETIMEDOUT when the first "
        .. "command was unacknowledged for that long. A Python program with the options of the "
        .. "thread, measured on Linux 6.18.",
      why = "TCP_USER_TIMEOUT replaces tcp_retries2.",
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_retries2"] = 3 } }
    local server = kodos:dnc("-l", 6379)
    local client = kang:run("python3", "-c", CLIENT, case.user_timeout or 0)
    lab:expect(client):within(20):prints "ready"
    local last_option = case.user_timeout and "TCP_USER_TIMEOUT" or "TCP_KEEPCNT"
    lab:expect(client):call("setsockopt", last_option):returns(0)
    local limit = lab:timer(case.timer, client)
    lab:expect(server):call("accept"):returns()
    kodos:power_off()
    client:type "\n"
    local sent = lab:expect(client):call("send"):returns(6)
    local gone = lab:expect(client):within(2 * limit):in_state "CLOSED"
    lab:expect_time(gone.t - sent.entered, limit, "giving up", { tolerance = case.tolerance })
    lab:expect(client):call("send"):fails "ETIMEDOUT"
    lab:expect(client):prints "Connection timed out"
  end,
}
