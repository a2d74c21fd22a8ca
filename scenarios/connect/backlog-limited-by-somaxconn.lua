-- listen takes any backlog, but the kernel silently limits it to net.core.somaxconn. The accept
-- queue is shorter than the program expects, and clients time out when it is full.
return {
  title = "Backlog limited by somaxconn",
  asks = "Why is the accept queue shorter than the backlog passed to listen?",
  source = "listen(2); ip-sysctl, somaxconn",
  here = "Because net.core.somaxconn limits it: 4096 by default, 128 before Linux 5.4. listen "
    .. "returns 0, and the queue holds somaxconn + 1 connections. The next client stays in "
    .. "SYN_SENT. Any Linux version.",
  why = "__sys_listen() lowers the backlog to somaxconn and reports no error. ss -l shows the "
    .. "effective value as Send-Q.",
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
    local one_too_many = kang:dnc(kodos, 8080)
    lab:expect_packet("kang > kodos", "SYN")
    lab:expect(one_too_many):in_state "SYN_SENT"
    lab:never(one_too_many, 0.3 * lab.second):in_state "ESTABLISHED"
  end,
}
