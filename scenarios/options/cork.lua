-- TCP_CORK set and forgotten: each answer that does not fill a segment leaves 200 ms late, which
-- is the ceiling that keeps it from being for ever.
return {
  title = "TCP_CORK, forgotten",
  asks = "Why is each reply of this server 200 ms late?",
  source = "tcp(7), TCP_CORK",
  here = "The reply leaves 200 ms after the write; without the cork, at once. Linux, measured on "
    .. "6.18.",
  why = "A corked, partial segment is not sent (TCP_NAGLE_CORK), but tcp_check_probe_timer() sets "
    .. "a timer, as for a closed window, and tcp_write_wakeup() sends what there is: the smallest "
    .. "retransmission timeout, TCP_RTO_MIN.",
  tags = { "options", "latency" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:type "setsockopt TCP_CORK on\nwrite reply\n"
    local write = lab:expect(server):call("write"):returns(5)
    local sent = lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-push != 0")
    lab:expect_time(sent.t - write.t, lab:timer("lowest_timeout", kodos), "the cork")

    server:type "write more\nsetsockopt TCP_CORK off\n"
    local written = lab:expect(server):call("write"):returns(4)
    local pulled = lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-push != 0")
    lab:expect_time(pulled.t - written.t, 0, "pulling the cork")
    lab:expect(client):prints "more"
  end,
}
