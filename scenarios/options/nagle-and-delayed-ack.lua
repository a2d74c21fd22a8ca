-- Write, write, read: the second small write waits for the ACK of the first, and the peer delays
-- that ACK until it has an answer to send. Nothing is lost and no machine is slow, but every
-- request takes 40 ms.
return {
  title = "Nagle meets delayed ACK",
  asks = "Why does each small request take 40 ms on an idle network?",
  source = "RFC 896; RFC 9293 section 3.7.4; RFC 1122 section 4.2.3.2; tcp(7), TCP_NODELAY",
  here = "Because its second write waits for the delayed ACK of the first, which arrives 40 ms "
    .. "later. With TCP_NODELAY the second write's segment leaves at once. Measured on Linux 6.18.",
  why = "tcp_nagle_test() holds back a partial segment while another segment is unacknowledged. "
    .. "The peer is in interactive mode (inet_csk_in_pingpong_mode()), so it waits "
    .. "TCP_DELACK_MIN, 40 ms, for an answer that can carry its ACK.",
  tags = { "options", "latency" },
  quiz = {
    asks = "After several requests and answers, a program makes two small writes in a row. When "
      .. "does the second one's segment leave?",
    { "When the ACK of the first arrives, 40 ms later", right = true,
      because = "Nagle waits for the ACK, and the ACK waits for an answer. TCP_NODELAY avoids "
        .. "this." },
    { "At once", because = "Nagle sends no partial segment while another one is unacknowledged." },
    { "When the buffer has a full segment",
      because = "Then a request could wait forever. An ACK is enough." },
    { "After the RTO, 200 ms", because = "Nothing is lost here." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, {
      client = { "--repl" }, server = { "--repl" },
    })
    for _ = 1, 3 do -- requests and answers, so that the kernels enter interactive mode
      server:type "read\nwrite answer\n"
      client:type "write request\nread\n"
      lab:expect(client):call("read"):returns(6)
      lab:expect_packet("kang > kodos", "data")
      lab:expect_packet("kodos > kang", "data")
    end

    client:type "write he\nwrite ad\n"
    local first = lab:expect_packet("kang > kodos", "data")
    local ack = lab:expect_packet("kodos > kang", "ACK only")
    local second = lab:expect_packet("kang > kodos", "data")
    lab:expect_time(ack.t - first.t, lab:timer("delayed_ack", kodos), "the delayed ACK")
    lab:expect_time(second.t - ack.t, 0, "the second segment after the ACK")
  end,
}
