-- Servers that restart without losing a client let the new process listen beside the old one. What
-- the old one had not accepted is lost all the same, unless the kernel may hand it over.
return {
  title = "Connections move to another listener",
  asks = "Can connections that nobody accepted survive the end of the listener they are queued at?",
  source = "ip-sysctl, tcp_migrate_req; socket(7), SO_REUSEPORT",
  here = "With tcp_migrate_req = 1, and another listener with SO_REUSEPORT on the port: yes, and "
    .. "with the data that has come. The client notices nothing. Linux 5.14 and newer.",
  why = "inet_csk_listen_stop() asks reuseport_migrate_sock() for another listener of the group "
    .. "and moves each queued connection there, where it would have reset it.",
  tags = { "connect", "accept", "restart", "recovery" },
  needs = { "sysctl net.ipv4.tcp_migrate_req" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_migrate_req"] = 1 } }
    local function listener()
      local program = kodos:dnc("--repl")
      program:type("socket " .. lab.family .. "\nsetsockopt SO_REUSEPORT on\nbind 8080\nlisten\n")
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
