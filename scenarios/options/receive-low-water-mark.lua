-- With SO_RCVLOWAT poll does not report data until that many bytes have arrived. If the peer sends
-- less and waits for an answer, both programs wait.
return {
  title = "SO_RCVLOWAT above what the peer sends",
  asks = "Why does poll not report data that has arrived?",
  source = "socket(7), SO_RCVLOWAT; tcp_poll()",
  here = "Because fewer bytes than SO_RCVLOWAT have arrived: 5 of 10. poll returns 0, although a "
    .. "non-blocking recv returns data. The peer's FIN ends the wait: poll reports IN|RDHUP. "
    .. "Measured on Linux 6.18.",
  why = "tcp_poll() asks tcp_stream_is_readable(), which compares the received amount with "
    .. "sk_rcvlowat (since Linux 2.6.28). After a FIN (RCV_SHUTDOWN), tcp_poll() reports IN "
    .. "whatever the value is.",
  tags = { "options", "poll" },

  run = function(lab)
    local client, server = lab:connected {
      client = { "--repl" }, server = { "--on-stdin-eof", "shutdown" },
    }

    client:type "setsockopt SO_RCVLOWAT 10\n"
    server:type "five\n"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack and tcp[8:4] > 1")
    client:type "poll in 0.2s\nioctl inq\nrecv 2 dontwait\n"
    lab:expect(client):call("poll"):returns(0)
    lab:expect(client):prints "SIOCINQ 5"
    lab:expect(client):call("recv"):returns(2)

    server:close_stdin()
    lab:expect(client):in_state "CLOSE_WAIT"
    client:type "poll in|rdhup\nread\nread\n"
    lab:expect(client):call("poll"):reports "IN|RDHUP"
    lab:expect(client):call("read"):returns(3)
    lab:expect(client):call("read"):returns(0)
  end,
}
