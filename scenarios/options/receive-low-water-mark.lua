-- SO_RCVLOWAT asks poll to be silent until so many bytes are there. If the peer has less to say
-- and waits for an answer, both wait.
return {
  title = "SO_RCVLOWAT above what the peer says",
  asks = "Why does poll not report data that is there?",
  source = "socket(7), SO_RCVLOWAT; tcp_poll()",
  here = "5 bytes are there, 10 are wanted: poll says 0, though a read that does not block has "
    .. "them. The peer's FIN ends the wait: IN|RDHUP. Linux, measured on 6.18.",
  why = "tcp_stream_is_readable() compares with sk_rcvlowat (poll heeds it since Linux 2.6.28; "
    .. "RCV_SHUTDOWN is reported whatever it says.",
  tags = { "options", "poll" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", "--on-stdin-eof", "shutdown", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

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
