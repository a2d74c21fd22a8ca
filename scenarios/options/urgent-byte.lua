-- Out-of-band data is one byte, taken out of the stream, and there is room for one: the second
-- replaces the first, which then is in the stream again, where nobody expects it.
return {
  title = "Urgent data overwritten",
  asks = "What becomes of the first urgent byte when a second is sent before it was read?",
  source = "tcp(7), MSG_OOB, tcp_stdurg; RFC 6093; RFC 9293 section 3.8.5",
  here = "poll PRI for the last one only: recv with MSG_OOB has '2', the '1' is in the stream with "
    .. "the rest. A second MSG_OOB: EINVAL. Linux, measured on 6.18.",
  why = "TCP has one urgent pointer. tcp_check_urg() moves copied_seq bookkeeping on to the new "
    .. "one: the byte before is ordinary data then. RFC 6093 tells programs not to use it.",
  tags = { "options", "urgent" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "send abc1 oob\nsend def2 oob\n"
    lab:expect(client):call("send"):returns(4)
    lab:expect(client):call("send"):returns(4)
    for _ = 1, 2 do
      lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-urg != 0")
    end
    server:type "poll in|pri\nrecv 10 oob\nrecv 10 oob\nread\n"
    lab:expect(server):call("poll"):reports "IN|PRI"
    lab:expect(server):call("recv"):returns(1)
    lab:expect(server):call("recv"):fails "EINVAL"
    lab:expect(server):prints "abc1def"
  end,
}
