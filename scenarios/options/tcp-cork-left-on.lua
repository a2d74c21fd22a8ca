-- A program sets TCP_CORK and forgets to clear it. Each answer that does not fill a segment leaves
-- 200 ms late, when the kernel stops waiting for more data.
return {
  title = "TCP_CORK left on",
  asks = "Why is each reply of this server 200 ms late?",
  source = "tcp(7), TCP_CORK",
  here = "Because TCP_CORK is on. The reply leaves 200 ms after the write; without TCP_CORK it "
    .. "leaves at once. Measured on Linux 6.18.",
  why = "With TCP_CORK a partial segment is not sent (TCP_NAGLE_CORK). But tcp_check_probe_timer() "
    .. "starts a timer, as for a zero window, and then tcp_write_wakeup() sends what is queued. "
    .. "The timer's time is the minimum RTO, TCP_RTO_MIN.",
  tags = { "options", "latency" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, { server = { "--repl" } })

    server:type "setsockopt TCP_CORK on\nwrite reply\n"
    local write = lab:expect(server):call("write"):returns(5)
    local sent = lab:expect_packet("kodos > kang", "data")
    lab:expect_time(sent.t - write.entered, lab:timer("rto_min", kodos), "the corked reply")

    server:type "write more\nsetsockopt TCP_CORK off\n"
    local written = lab:expect(server):call("write"):returns(4)
    local uncorked = lab:expect_packet("kodos > kang", "data")
    lab:expect_time(uncorked.t - written.t, 0, "the reply after uncorking")
    lab:expect(client):prints "more"
  end,
}
