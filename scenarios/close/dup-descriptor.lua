-- close(2) ends a descriptor; a connection ends with its last one. A descriptor that was
-- duplicated somewhere (a child, a logger, a leak) keeps the connection open: the program closed,
-- and the peer waits for ever.
return {
  title = "Close of a dup'd descriptor",
  asks = "Why does the peer see no end of stream although the program has closed its socket?",
  source = "close(2), dup(2), shutdown(2)",
  here = "close of one descriptor says 0 and sends nothing; shutdown(SHUT_WR) through the other "
    .. "sends the FIN at once. Linux, measured on 6.18.",
  why = "Both descriptors stand for one open file description. Only when the last one goes does "
    .. "fput() release the file, and sock_close() the socket; shutdown(2) is about the connection, "
    .. "whoever else holds it.",
  tags = { "close", "descriptors" },
  quiz = {
    asks = "A program has two descriptors of one connection (dup), and closes one. What is "
      .. "sent?",
    { "Nothing", right = true },
    { "FIN",
      because = "The file is released with its last descriptor only. shutdown(2) would have "
        .. "sent it." },
    { "FIN, and the other descriptor can only read from now on",
      because = "Two descriptors are two names of one thing; one name less changes nothing." },
    { "RST: the connection is used by somebody else",
      because = "Kernels do not mind who holds a descriptor, or how many." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "dup\nclose\n"
    lab:expect(client):call("close"):returns(0)
    lab:never_packet(0.3 * lab.second, "kang > kodos", "tcp")
    lab:expect(client):still_in_state "ESTABLISHED"

    client:type "shutdown wr\n"
    lab:expect(client):call("shutdown"):returns(0)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-fin != 0")
    lab:expect(server):call("read"):returns(0)
    lab:expect(client):in_state "FIN_WAIT2"
    lab:expect(server):in_state "CLOSE_WAIT"
  end,
}
