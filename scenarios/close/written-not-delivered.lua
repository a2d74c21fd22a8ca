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
  quiz = {
    asks = "The path is cut. A program writes 12 octets and write returns 12. What else can "
      .. "the program find out before it closes?",
    { "ioctl SIOCOUTQ says 12: so many are not acknowledged", right = true,
      because = "It says what the peer's kernel has, and nothing of the peer's program." },
    { "Nothing: TCP hides that from programs",
      because = "Linux has a call for it, though hardly anybody uses it." },
    { "getsockopt SO_ERROR says that the path is cut",
      because = "The kernel does not know of it: it has a segment that is not acknowledged, "
        .. "yet." },
    { "poll does not say OUT, since the data is still there",
      because = "OUT says that there is room in the buffer, and there is plenty." },
  },

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
