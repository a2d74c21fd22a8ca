-- What does a program know of data that it has written? The kernel tells, to who asks: SIOCOUTQ
-- is what the peer has not acknowledged, which is all that a sender can know before it closes.
return {
  title = "Written is not delivered",
  asks = "How can a program find out, before it closes, whether its data has arrived?",
  source = "tcp(7), SIOCOUTQ; RFC 1122 section 4.2.2.13",
  here = "write says 12 while the path is cut: SIOCOUTQ 12. Once the path is whole again, and the "
    .. "retransmission acknowledged, SIOCOUTQ is 0. Linux, measured on 6.18.",
  why = "SIOCOUTQ is write_seq - snd_una: bytes not acknowledged by the peer's kernel, unsent ones "
    .. "included (tcp_ioctl()). It says nothing of the peer's program.",
  tags = { "close", "options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local cut = lab:cut("kang > kodos")
    client:type "write hello,kodos!\nioctl outq\n"
    lab:expect(client):call("write"):returns(12)
    lab:expect(client):prints "SIOCOUTQ 12"
    cut:lift()
    lab:expect(server):prints "hello,kodos!"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
    client:type "ioctl outq\n"
    lab:expect(client):prints "SIOCOUTQ 0"
  end,
}
