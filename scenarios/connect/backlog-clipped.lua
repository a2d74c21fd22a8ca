-- listen may be told any number; the kernel has its own opinion of how long a queue may be, and
-- tells nobody but those who look.
return {
  title = "A backlog that is too large",
  asks = "Why is a server's queue shorter than the backlog that it gave to listen?",
  source = "listen(2); ip-sysctl, somaxconn",
  here = "listen returns 0, and the queue holds net.core.somaxconn connections and one more; the "
    .. "next client stays in SYN_SENT. Any Linux; the default is 4096 since 5.4, 128 before.",
  why = "__sys_listen() lowers the backlog to somaxconn without an error. ss -l shows the number "
    .. "that is in force.",
  tags = { "connect", "backlog", "listen" },

  run = function(lab)
    local somaxconn = 1
    local kang, kodos = lab:pair { sysctls = { ["net.core.somaxconn"] = somaxconn } }
    local server = kodos:dnc("--backlog", 100, "--no-accept", "-l", 8080)
    lab:expect(server):call("listen"):returns(0)
    for _ = 0, somaxconn do
      lab:expect(kang:dnc(kodos, 8080)):in_state "ESTABLISHED"
      lab:expect(kodos):in_state "ESTABLISHED"
    end
    local next_one = kang:dnc(kodos, 8080)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] == tcp-syn")
    lab:expect(next_one):in_state "SYN_SENT"
    lab:never(next_one, 0.3 * lab.second):in_state "ESTABLISHED"
  end,
}
