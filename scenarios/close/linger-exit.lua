-- A program that ends does not linger: SO_LINGER holds close(2), not exit(2). What it relied on to
-- learn that its data had arrived is not there.
return {
  title = "SO_LINGER and a program that is killed",
  asks = "Does SO_LINGER hold a process that ends?",
  source = "socket(7), SO_LINGER: \"when the socket is closed as part of exit(2), it always "
    .. "lingers in the background\"",
  here = "No: it is gone at once, its socket an orphan in FIN_WAIT1. With zero seconds it still "
    .. "means RST, in exit, too. Linux, measured on 6.18.",
  why = "inet_release() takes no timeout where PF_EXITING is set; tcp_close() looks at SOCK_LINGER "
    .. "with sk_lingertime 0 by itself.",
  tags = { "close", "options", "crash" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-k", "-l", 8080)
    local waits = kang:dnc("--linger", 60, kodos, 8080)
    lab:expect(waits):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"
    local resets = kang:dnc("--linger", 0, kodos, 8080)
    lab:expect(resets):in_state "ESTABLISHED"

    lab:cut("kodos > kang")
    waits:kill()
    lab:expect(waits):killed_by "SIGKILL"
    lab:expect(waits):in_state "FIN_WAIT1"
    resets:kill()
    lab:expect(resets):killed_by "SIGKILL"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(resets):in_state "CLOSED"
  end,
}
