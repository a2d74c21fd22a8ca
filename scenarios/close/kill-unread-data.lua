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
