-- A program is killed while received data is still unread. Its kernel sends a RST instead of a FIN,
-- so the peer sees this crash as an error.
return {
  title = "kill -9, with data unread",
  asks = "When does the peer see ECONNRESET because the other program was killed?",
  source = "exit(2), signal(7); RFC 2525 section 2.17",
  here = "If the killed program had unread data. Its kernel then sends RST/ACK. At the peer, poll "
    .. "reports IN|ERR|HUP and read fails with ECONNRESET. Neither side keeps any state. Measured "
    .. "on Linux 6.18.",
  why = "do_exit() closes the socket. tcp_close() finds unread data in the receive queue and "
    .. "sends a RST (TCPAbortOnClose), as it does when the program calls close itself.",
  tags = { "close", "crash", "reset" },
  quiz = {
    asks = "A program is killed with SIGKILL before it has read all of its data. What does the "
      .. "peer's read return?",
    { "-1 ECONNRESET", right = true },
    { "0: the killed program's kernel sends a FIN",
      because = "It sends a FIN if all data was read. With unread data it sends a RST, as close "
        .. "does." },
    { "Nothing: a killed program cannot close its sockets",
      because = "Its kernel closes them, however the program ends." },
    { "-1 ETIMEDOUT, after a while",
      because = "The kernel still runs and answers. Only a dead host is silent." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, { server = { "--never-read" } })

    client:type "who reads this?\n"
    lab:expect_packet("kodos > kang", "ACK only")
    server:kill()
    lab:expect(server):killed_by "SIGKILL"
    lab:expect_packet("kodos > kang", "RST ACK")
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect(client):in_state "CLOSED"
    lab:expect(kodos):has_no_connection()
  end,
}
