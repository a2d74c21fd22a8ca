-- A transfer that floods the wire, so most of its frames are only counted.
local kBytes = 50 * 1000 * 1000

return {
  title = "The sequence numbers after a flood",
  asks = "Does the lab know the sequence numbers of frames that it only counts?",
  tags = { "trust" },
  needs = { "program python3" },

  run = function(lab)
    -- A frame of many segments: however slow the lab is, this floods the wire.
    local kang, kodos = lab:pair { offload = true }
    local server = kodos:run("python3", "-c", [[
import socket, sys
listener = socket.create_server(("::", 8080), family=socket.AF_INET6, dualstack_ipv6=True)
print("ready", flush=True)
connection, _ = listener.accept()
left = int(sys.argv[1])
while left:
    left -= len(connection.recv(1 << 20))
connection.sendall(b"all")
sys.stdin.read()
]], kBytes)
    lab:expect(server):prints "ready"
    local client = kang:run("python3", "-c", [[
import socket, sys
connection = socket.create_connection((sys.argv[1], 8080))
connection.sendall(bytes(int(sys.argv[2])))
print("the server has", connection.recv(3).decode(), flush=True)
sys.stdin.read()
]], kodos, kBytes)
    lab:expect(client):within(200):prints "the server has all"
    local ours, theirs = lab:connection(client), lab:connection(server)
    lab:check(ours.snd_nxt == 1 + kBytes, "the client knows what it has sent", ours.snd_nxt)
    lab:check(ours.snd_una == 1 + kBytes, "all of it is acknowledged", ours.snd_una)
    lab:check(theirs.rcv_nxt == 1 + kBytes, "the server knows what it has got", theirs.rcv_nxt)
  end,
}
