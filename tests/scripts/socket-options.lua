-- The lab sets socket options on the sockets of programs that know nothing of it.
local CLIENT = [[
import socket, sys
s = socket.socket()
s.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 77000)
s.connect((sys.argv[1], 8080))
for line in sys.stdin: print(eval(line), flush=True)
]]
local SERVER = [[
import socket
l = socket.create_server(("", 8080))
while True:
    s, _ = l.accept()
    print("accepted", s.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE),
          s.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE), flush=True)
]]

return {
  title = "Socket options that the lab sets",
  asks = "Does each socket of a host's programs have the options that the script says?",
  tags = { "test" },
  needs = { "program python3" },
  cases = { { name = "set" }, { name = "refused" } },
  run = function(lab, case)
    local kang, kodos = lab:hosts { "kang", "kodos" }
    if case.name == "refused" then
      for _, options in ipairs { { TCP_NO_SUCH = 1 }, { SO_LINGER = 1 }, { TCP_KEEPIDLE = "soon" },
        { TCP_KEEPIDLE = 1 << 40 }, { 7 } } do
        lab:check(not pcall(kang.socket_options, kang, options), "it is refused")
      end
      return
    end
    kang:socket_options { TCP_USER_TIMEOUT = 1000, TCP_SYNCNT = 2 }
    kodos:socket_options { SO_KEEPALIVE = 1, TCP_KEEPIDLE = 33 }
    local server = kodos:at_boot("python3", "-c", SERVER)
    lab:expect(kodos):within(20):listens(8080)
    local client = kang:run("python3", "-c", CLIENT, kodos:address())
    lab:expect(server):within(20):prints "accepted 1 33"
    local function says(option, value)
      client:type("s.getsockopt(socket.IPPROTO_TCP, socket." .. option .. ")\n")
      lab:expect(client):prints(value .. "\n")
    end
    says("TCP_USER_TIMEOUT", 1000)  -- not what the program has set
    says("TCP_SYNCNT", 2)

    kodos:power_cycle()
    lab:expect(kodos):within(20):listens(8080)

    kang:socket_options {}
    client:type "socket.socket().getsockopt(socket.IPPROTO_TCP, socket.TCP_SYNCNT)\n"
    lab:expect(client):prints(kang:sysctl "net.ipv4.tcp_syn_retries" .. "\n")
  end,
}
