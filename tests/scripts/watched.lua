-- A client with a thread and a child process, which then blocks. The run ends while a second one is
-- blocked.
local CLIENT = [[
import os, socket, sys, threading
server = socket.create_connection(("kodos", int(sys.argv[1])))
thread = threading.Thread(target=server.sendall, args=(b"thread",))
thread.start(); thread.join()
child = os.fork()
if child == 0:
    server.sendall(b"child"); os._exit(0)
os.waitpid(child, 0)
server.recv(100)
]]

return {
  title = "Watched programs",
  asks = "Are the calls of threads, children and blocked programs seen?",
  tags = { "test" },
  families = { 4 },
  needs = { "program python3" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local function start(port)
      local server = kodos:dnc("-l", port)
      local client = kang:run("python3", "-c", CLIENT, port)
      local connected = lab:expect(client):within(20):call("connect"):returns(0)
      local thread = lab:expect(client):call("send"):returns(6)
      local child = lab:expect(client):call("send"):returns(5)
      local blocked = lab:expect(client):call("recv"):is_entered()
      lab:check(thread.pid == connected.pid and thread.tid ~= nil, "a thread has its tid")
      lab:check(child.pid ~= connected.pid and child.tid == nil, "a child has its pid")
      lab:check(blocked.pid == connected.pid and blocked.tid == nil, "the first thread blocks")
      lab:check(child.remote == connected.remote, "the child has the same connection")
      return client, server
    end

    local killed, server = start(8080)
    killed:kill()
    lab:expect(killed):killed_by "SIGKILL"
    lab:expect(server):in_state "CLOSE_WAIT"
    start(8081)
    lab:say "it is blocked"
  end,
}
