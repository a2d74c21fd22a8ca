-- shutdown(SHUT_RD) is a promise of the program to itself: nothing goes on the wire, the peer is
-- not told, and what it sends is still received, acknowledged, and can be read.
return {
  title = "shutdown(SHUT_RD), then the peer writes",
  asks = "Does shutdown(SHUT_RD) stop the peer?",
  source = "shutdown(2); RFC 9293 section 3.10 (TCP has no way to say it)",
  here = "No frame is sent. poll says IN|RDHUP, read 0 for as long as nothing is there; what the "
    .. "peer writes is acknowledged, and then read returns it. Measured on Linux 6.18.",
  why = "RCV_SHUTDOWN is set on the socket and nowhere else: tcp_recvmsg_locked() serves the "
    .. "receive queue first and says 0 only when it is empty. tcp_shutdown() sends a FIN for "
    .. "SEND_SHUTDOWN alone.",
  tags = { "close", "half-close" },
  quiz = {
    asks = "A program calls shutdown(SHUT_RD). Then the peer writes. What happens?",
    { "The data is acknowledged, and read returns it", right = true,
      because = "SHUT_RD sets a flag; no frame tells the peer, and a full receive queue is "
        .. "still served." },
    { "The peer's write fails with EPIPE",
      because = "It would have to know. TCP has no segment that says \"I shall not read\"." },
    { "The data is answered with a RST",
      because = "That is for a socket that is closed. POSIX says no more receives; Linux "
        .. "still receives." },
    { "The data is acknowledged and thrown away; read returns 0",
      because = "read says 0 only for as long as nothing is there." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "shutdown rd\npoll in|rdhup\nread\n"
    lab:expect(client):call("shutdown"):returns(0)
    lab:expect(client):call("poll"):reports "IN|RDHUP"
    lab:expect(client):call("read"):returns(0)
    lab:never_packet(0.2 * lab.second, "kang > kodos", "tcp")

    server:type "did you not want to hear?\n"
    lab:expect(server):call("write"):returns(26)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    client:type "read\nread\n"
    lab:expect(client):call("read"):returns(26)
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
