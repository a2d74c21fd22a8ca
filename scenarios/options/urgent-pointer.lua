-- The urgent pointer points at the urgent byte, or behind it: the RFCs said both. A receiver that
-- is set to the other reading takes the wrong byte out of the stream.
return {
  title = "Two readings of the urgent pointer",
  asks = "Why is the wrong byte out of band?",
  source = "RFC 6093 sections 3.1 and 4; RFC 1122 section 4.2.2.4; ip-sysctl, tcp_stdurg",
  here = "With tcp_stdurg at the receiver the byte that was sent urgently stays in the stream, and "
    .. "the next one, which is not urgent, is taken out of it. Linux, measured on 6.18.",
  why = "tcp_check_urg() steps back by one from the pointer unless tcp_stdurg is set; the sender's "
    .. "pointer is behind the byte in any case. RFC 6093 has everybody do as BSD did.",
  tags = { "options", "urgent" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:sysctl("net.ipv4.tcp_stdurg", 1)
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "send abc! oob\n"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-urg != 0")
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
