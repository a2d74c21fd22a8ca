-- The same crash with something unread in the receive queue is a reset: that a program died is
-- seen by its peer only when it was behind with its reading.
return {
  title = "kill -9, with data unread",
  asks = "When does a peer see ECONNRESET because the other program was killed?",
  source = "exit(2), signal(7); RFC 2525 section 2.17",
  here = "RST, ACK: poll IN|ERR|HUP, read ECONNRESET; no state is left on either side. Linux, "
    .. "measured on 6.18.",
  why = "do_exit() closes the socket, tcp_close() finds unread data in the receive queue and sends "
    .. "RST (TCPAbortOnClose), as it does for a program that closes by itself.",
  tags = { "close", "crash", "reset" },
  quiz = {
    asks = "A program has data that it has not read, and is killed with SIGKILL. What does "
      .. "the peer's read say?",
    { "-1 ECONNRESET", right = true },
    { "0: a killed program's kernel sends FIN",
      because = "It does where nothing is unread. Unread data makes a RST of it, as with "
        .. "close." },
    { "Nothing: a killed program cannot close its sockets",
      because = "Its kernel does, for whatever way a program ends." },
    { "-1 ETIMEDOUT, after a while",
      because = "The kernel lives. Only when the host dies is there silence." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--never-read", "-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "who reads this?\n"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
    server:kill()
    lab:expect(server):killed_by "SIGKILL"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-rst|tcp-ack")
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect(client):in_state "CLOSED"
    lab:expect(kodos):has_no_connection()
  end,
}
