-- A connection ends when its last descriptor is closed. A duplicate that a child holds, or that
-- leaked, keeps it open: the program has called close, and the peer waits forever.
return {
  title = "Close of a dup'd descriptor",
  asks = "Why does the peer see no end of stream although the program has closed its socket?",
  source = "close(2), dup(2), shutdown(2)",
  here = "Because another descriptor of the connection is open. close of one descriptor returns 0 "
    .. "and sends nothing. shutdown(SHUT_WR) through the other descriptor sends the FIN at once. "
    .. "Measured on Linux 6.18.",
  why = "Both descriptors refer to one open file description. The kernel releases the socket only "
    .. "when the last descriptor is closed (fput(), sock_close()). shutdown(2) acts on the "
    .. "connection itself, however many descriptors refer to it.",
  tags = { "close", "descriptors" },
  quiz = {
    asks = "A program has two descriptors of one connection (dup), and closes one. What does the "
      .. "kernel send?",
    { "Nothing", right = true },
    { "FIN",
      because = "The kernel releases the file with its last descriptor. shutdown(2) would send a "
        .. "FIN now." },
    { "FIN, and the other descriptor can only read from now on",
      because = "Both descriptors name the same connection. Closing one does not change it." },
    { "RST, because the other descriptor is still in use",
      because = "The kernel only counts descriptors. It does not object to a second one." },
  },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" } }

    client:type "dup\nclose\n"
    lab:expect(client):call("close"):returns(0)
    lab:never_packet(0.3 * lab.second, "kang > kodos", "tcp")
    lab:expect(client):still_in_state "ESTABLISHED"

    client:type "shutdown wr\n"
    lab:expect(client):call("shutdown"):returns(0)
    lab:expect_packet("kang > kodos", "FIN")
    lab:expect(server):call("read"):returns(0)
    lab:expect(client):in_state "FIN_WAIT2"
    lab:expect(server):in_state "CLOSE_WAIT"
  end,
}
