-- The receiver keeps the urgent (out-of-band) byte apart from the stream, and has room for only
-- one. A second urgent byte replaces the first, which then appears in the stream, where no program
-- expects it.
return {
  title = "A second urgent byte replaces the first",
  asks = "What happens to an urgent byte if a second one is sent before it is read?",
  source = "tcp(7), MSG_OOB, tcp_stdurg; RFC 6093; RFC 9293 section 3.8.5",
  here = "It becomes ordinary data in the stream. Here the first urgent byte is '1' and the second "
    .. "'2': recv with MSG_OOB returns '2', and read returns the '1' with the rest. A second recv "
    .. "with MSG_OOB fails with EINVAL. Measured on Linux 6.18.",
  why = "TCP has one urgent pointer. tcp_check_urg() moves urg_seq to the new byte, and the byte "
    .. "before becomes ordinary data. RFC 6093 tells programs not to use urgent data.",
  tags = { "options", "urgent" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" }, server = { "--repl" } }

    client:type "send abc1 oob\nsend def2 oob\n"
    lab:expect(client):call("send"):returns(4)
    lab:expect(client):call("send"):returns(4)
    for _ = 1, 2 do
      lab:expect_packet("kang > kodos", "URG")
    end
    server:type "poll in|pri\nrecv 10 oob\nrecv 10 oob\nread\n"
    lab:expect(server):call("poll"):reports "IN|PRI"
    lab:expect(server):call("recv"):returns(1)
    lab:expect(server):call("recv"):fails "EINVAL"
    lab:expect(server):prints "abc1def"
  end,
}
