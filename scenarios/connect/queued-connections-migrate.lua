-- To restart without losing a client, a server lets a new process listen beside the old one. When
-- the old listener closes, the kernel still resets its queued connections, unless tcp_migrate_req
-- lets it move them to the new listener.
return {
  title = "Queued connections move to a new listener",
  asks = "Can queued connections survive the end of their listener?",
  source = "ip-sysctl, tcp_migrate_req; socket(7), SO_REUSEPORT",
  here = "Yes, with tcp_migrate_req = 1 and another SO_REUSEPORT listener on the port. Data that "
    .. "has arrived moves too, and the client notices nothing. Linux 5.14 or newer.",
  why = "inet_csk_listen_stop() asks reuseport_migrate_sock() for another listener of the group "
    .. "and moves each queued connection to it. Without another listener it resets the connection.",
  tags = { "connect", "accept", "restart", "recovery" },
  needs = { "sysctl net.ipv4.tcp_migrate_req" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_migrate_req"] = 1 } }
    local function listener()
      local program = kodos:dnc("--repl")
      program:type("socket\nsetsockopt SO_REUSEPORT on\nbind 8080\nlisten\n")
      lab:expect(program):call("listen"):returns(0)
      return program
    end
    local old = listener()
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"
    client:type "hello\n"
    lab:expect(client):call("write"):returns(6)

    local new = listener()
    old:type "close\n"
    lab:expect(old):call("close"):returns(0)
    new:type "accept\nread\nwrite welcome\n"
    lab:expect(new):call("accept"):returns()
    lab:expect(new):call("read"):returns(6)
    lab:expect(client):prints "welcome"
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
