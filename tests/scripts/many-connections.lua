-- As many connections as the client has ports. The server forks, and each process accepts some, so
-- that no process holds all sockets.
return {
  title = "Many connections",
  asks = "Does the lab record each state of 2,000 connections?",
  tags = { "trust" },
  needs = { "program python3" },

  run = function(lab)
    local kang, kodos = lab:pair {
      sysctls = { ["net.ipv4.ip_local_port_range"] = "40000 41999", ["net.core.somaxconn"] = 4096 },
    }
    local server = kodos:run("python3", "-c", [[
import os, socket
listener = socket.create_server(("::", 8080), family=socket.AF_INET6, dualstack_ipv6=True,
                                backlog=4096)
os.fork()
accepted = []
print("ready", flush=True)
while True:
    accepted.append(listener.accept())
]])
    lab:expect(server):prints "ready"
    local client = kang:run("python3", "-c", [[
import errno, resource, socket, sys
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
kept = []
try:
    while True:
        kept.append(socket.create_connection((sys.argv[1], 8080)))
except OSError as error:
    print(errno.errorcode[error.errno], "after", len(kept), flush=True)
sys.stdin.read()
]], kodos)
    lab:expect(client):within(60):prints "EADDRNOTAVAIL after 2000"
    lab:expect(client):in_state "ESTABLISHED"
  end,
}
