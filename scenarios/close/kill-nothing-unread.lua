-- A program that is killed cannot say good-bye; its kernel does it in its stead. To the peer, a
-- crash of the program is a good, orderly end: a FIN.
return {
  title = "kill -9, nothing unread",
  asks = "Can the peer tell a crashed program from one that closed its connection?",
  source = "exit(2), signal(7); RFC 9293 section 3.6",
  here = "No: FIN, read returns 0, CLOSE_WAIT; the killed side is in FIN_WAIT2 and an orphan. "
    .. "Linux, measured on 6.18.",
  why = "do_exit() closes all files of a process, however it ends, and tcp_close() sends FIN where "
    .. "all was read. A protocol on top must therefore say when it is complete (a length, an end "
    .. "mark): end of stream does not.",
  tags = { "close", "crash" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:kill()
    lab:expect(server):killed_by "SIGKILL"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-fin != 0")
    lab:expect(client):call("poll"):reports "IN"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):in_state "CLOSE_WAIT"
    lab:expect(server):in_state "FIN_WAIT2"
  end,
}
