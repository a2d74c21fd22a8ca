-- When a connection closes in good order, the kernel saves its round-trip time (RTT) for that
-- destination. If the path was slow then, a new connection waits too long before its first
-- retransmission.
return {
  title = "tcp_no_metrics_save = 0",
  asks = "What does a new connection know from earlier connections?",
  source = "ip-sysctl, tcp_no_metrics_save; ip-tcp_metrics(8); RFC 9040 (temporal sharing)",
  here = "The RTT of the last connection to that address. A lost first segment is retransmitted "
    .. "after three times that RTT, although the handshake took a millisecond. If "
    .. "tcp_no_metrics_save was 1 when the earlier connection ended, the usual RTO applies. "
    .. "Measured on Linux 6.18.",
  why = "tcp_update_metrics() saves the RTT when a connection enters TIME_WAIT or leaves LAST_ACK. "
    .. "If the saved RTT (crtt) is longer than the handshake's, tcp_init_metrics() sets the RTO to "
    .. "crtt + max(2 crtt, tcp_rto_min), until data gives a new sample.",
  tags = { "options", "loss", "delay" },
  quiz = {
    asks = "The last connection to a host had an RTT of 300 ms. Now the path is short: the "
      .. "handshake takes a millisecond, and the first data is lost. When is it retransmitted?",
    { "After 900 ms", right = true,
      because = "Three times the RTT that the kernel saved from the last connection." },
    { "After 200 ms, the minimum RTO",
      because = "That happens if nothing was saved: tcp_no_metrics_save = 1." },
    { "After 1 s, the initial RTO",
      because = "That is for SYNs. The handshake gave a sample." },
    { "After 3 ms", because = "The minimum is tcp_rto_min, 200 ms, however short the RTT is." },
  },

  run = function(lab)
    local kang, kodos, krusty = lab:hosts({ "kang", "kodos", "krusty" }, {
      sysctls = { ["net.ipv4.tcp_early_retrans"] = 0 }, -- no probes: only the RTO
    })
    local there = 150 * lab.millisecond

    local function first_retransmission(peer)
      local direction = "kang > " .. peer:name()
      peer:dnc("-k", "--on-eof", "close", "-l", 8080)
      local detour = lab:delay("* > *", "tcp", { by = there })
      local yesterday = kang:dnc("--on-stdin-eof", "shutdown", peer, 8080)
      lab:expect(yesterday):in_state "ESTABLISHED"
      yesterday:type "far\n"
      lab:expect_packet(direction, "data")
      yesterday:close_stdin()
      lab:expect(kang):in_state "TIME_WAIT"
      detour:remove()

      local today = kang:dnc(peer, 8080)
      lab:expect(today):in_state "ESTABLISHED"
      local usual = lab:timer("rto_min", kang)
      lab:lose(direction, "data", { count = 1 })
      today:type "near\n"
      local lost = lab:expect_packet(direction, "data", { fate = "lost" })
      local retransmission = lab:expect_packet(direction, "data", { fate = "delivered" })
      return retransmission.t - lost.t, usual
    end

    local round_trip = 2 * there
    lab:expect_time(first_retransmission(kodos), 3 * round_trip,
      "the retransmission after a slow connection")
    kang:sysctl("net.ipv4.tcp_no_metrics_save", 1)
    local took, usual = first_retransmission(krusty)
    lab:expect_time(took, usual, "the retransmission with nothing saved")
  end,
}
