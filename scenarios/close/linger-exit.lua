-- SO_LINGER makes close(2) wait, but not exit(2). A program that ends or is killed does not wait
-- for its data to be acknowledged.
return {
  title = "SO_LINGER when the program is killed",
  asks = "Does SO_LINGER delay the end of a process?",
  source = "socket(7), SO_LINGER: \"when the socket is closed as part of exit(2), it always "
    .. "lingers in the background\"",
  here = "No. The process ends at once, and its socket is an orphan in FIN_WAIT1. With zero "
    .. "seconds, exit still sends a RST, as close does. Measured on Linux 6.18.",
  why = "inet_release() uses no timeout if PF_EXITING is set. tcp_close() itself checks for "
    .. "SOCK_LINGER with an sk_lingertime of 0 and does not look at PF_EXITING, so it still sends "
    .. "the RST.",
  tags = { "close", "options", "crash" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local lingering, server =
      lab:connect(kang, kodos, { client = { "--linger", 60 }, server = { "-k" } })
    local aborting = kang:dnc("--linger", 0, kodos, 8080)
    lab:expect(aborting):in_state "ESTABLISHED"
    lab:expect(aborting):call("connect"):returns(0)

    lab:cut("kodos > kang")
    lingering:kill()
    lab:expect(lingering):killed_by "SIGKILL"
    lab:expect(lingering):in_state "FIN_WAIT1"
    lab:expect(server):call("accept"):returns() -- the second connection: the first one is closed
    aborting:kill()
    lab:expect(aborting):killed_by "SIGKILL"
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(aborting):in_state "CLOSED"
  end,
}
