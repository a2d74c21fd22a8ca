-- The urgent pointer points to the urgent byte or to the byte after it: the RFCs said both. A
-- receiver with the other meaning takes the wrong byte out of the stream.
return {
  title = "Two meanings of the urgent pointer",
  asks = "Why does a receiver take the wrong byte as urgent data?",
  source = "RFC 6093 sections 3.1 and 4; RFC 1122 section 4.2.2.4; ip-sysctl, tcp_stdurg",
  here = "Because sender and receiver disagree about what the pointer points to. With tcp_stdurg "
    .. "at the receiver, the urgent byte stays in the stream. The receiver takes out the next byte "
    .. "instead, which is not urgent. Measured on Linux 6.18.",
  why = "tcp_check_urg() steps back one byte from the pointer, unless tcp_stdurg is set. The "
    .. "sender's pointer is always one byte after the urgent byte. This is BSD's meaning, and RFC "
    .. "6093 makes it the standard.",
  tags = { "options", "urgent" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:sysctl("net.ipv4.tcp_stdurg", 1)
    local client, server = lab:connect(kang, kodos, {
      client = { "--repl" }, server = { "--repl" },
    })

    client:type "send abc! oob\n"
    lab:expect_packet("kang > kodos", "URG")
    server:type "poll in|pri\nrecv 1 oob dontwait\nread\n"
    lab:expect(server):call("recv"):fails "EAGAIN"
    lab:expect(server):prints "abc!"
    client:type "write XYZ\n"
    server:type "poll in|pri\nrecv 1 oob\nread\n"
    lab:expect(server):call("recv"):returns(1)
    lab:expect(server):call("read"):returns(2)
    lab:expect(server):prints "recv = 1 \"X\""
  end,
}
