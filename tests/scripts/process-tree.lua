-- A server whose forked child keeps the connection. The first line that the child reads is answered
-- by another child of it, which is a daemon: its parent is the host's init.
local SERVER = [[
import os, signal, socket, sys
listener = socket.create_server(("", 8080), family=socket.AF_INET6, dualstack_ipv6=True)
while True:
    connection, _ = listener.accept()
    if os.fork() == 0:
        listener.close()
        if sys.argv[1] == "daemon":
            if os.fork() > 0:
                os._exit(0)
            os.setsid()
            if os.fork() > 0:
                os._exit(0)
        while data := connection.recv(100):
            connection.sendall(data.upper())
        os._exit(0)
    connection.close()
]]

return {
  title = "A program is its process tree",
  asks = "Do freeze, thaw, kill and stop reach the processes that a program has started?",
  tags = { "programs" },
  needs = { "program python3" },
  cases = {
    { name = "child", kind = "child", watch = true },
    { name = "daemon", kind = "daemon", watch = true },
    { name = "unwatched", kind = "child", watch = false },
  },
  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:run("python3", "-c", SERVER, case.kind, { watch = case.watch })
    lab:expect(kodos):within(20):listens(8080)
    local function connect()
      local client = kang:dnc(kodos, 8080)
      client:type "hello\n"
      lab:expect(client):prints "HELLO"
      return client
    end

    local client = connect()
    lab:expect(server):in_state "ESTABLISHED"
    server:freeze()
    client:type "again\n"
    lab:expect_packet("kodos > kang", "ACK only")
    lab:never(client, 0.3):prints "AGAIN"
    server:thaw()
    lab:expect(client):prints "AGAIN"

    -- The worker goes on while only the main process is frozen.
    server:freeze { only = "main" }
    client:type "alone\n"
    lab:expect(client):prints "ALONE"
    local waits = kang:dnc(kodos, 8080)
    lab:expect(waits):in_state "ESTABLISHED"
    waits:type "hello\n"
    lab:never(waits, 0.3):prints "HELLO"
    server:thaw { only = "main" }
    lab:expect(waits):prints "HELLO"

    server:kill { only = "main" }
    lab:expect(server):killed_by "SIGKILL"
    client:type "orphan\n"
    lab:expect(client):prints "ORPHAN"
    server:freeze()
    client:type "stopped\n"
    lab:expect_packet("kang > kodos", "data", { length = 8, fate = "delivered" })
    lab:never(client, 0.3):prints "STOPPED"
    server:kill()
    lab:expect(client):call("read"):fails "ECONNRESET" -- it had not read everything
    lab:expect(kodos):has_no_connection()
    server:kill() -- nothing is left, and nothing happens
  end,
}
