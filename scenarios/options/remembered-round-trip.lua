-- The kernel remembers each destination: how long the round trip was, when a connection to it has
-- ended in good order. A path that was slow yesterday makes today's first loss slow.
return {
  title = "tcp_no_metrics_save = 0",
  asks = "What does a new connection know of the connections before it?",
  source = "ip-sysctl, tcp_no_metrics_save; ip-tcp_metrics(8); RFC 9040 (temporal sharing)",
  here = "The round trip of the last connection to that address: a first segment that is lost is "
    .. "sent again after three times that, though the handshake took a millisecond. With "
    .. "tcp_no_metrics_save = 1 at the time when the earlier one ended it is the usual timeout. "
    .. "Measured on Linux 6.18.",
  why = "tcp_update_metrics() saves when a connection enters TIME_WAIT or leaves LAST_ACK; "
    .. "tcp_init_metrics() makes the timeout crtt + max(2 crtt, tcp_rto_min) where the round trip "
    .. "remembered is longer than the handshake's, until there is data to measure by.",
  tags = { "options", "loss", "delay" },
  quiz = {
    asks = "The last connection to a host had a round trip of 300 ms. The path is short again, the "
      .. "handshake takes a millisecond, the first data is lost. When is it sent again?",
    { "After 900 ms", right = true,
      because = "Three times the round trip that the kernel has kept of the last connection." },
    { "After 200 ms, the least timeout",
      because = "So it is where nothing is remembered: tcp_no_metrics_save = 1." },
    { "After 1 s, the initial timeout", because = "That is for SYNs: the handshake was a sample." },
    { "After 3 ms", because = "tcp_rto_min is 200 ms, whatever the round trip." },
  },

  run = function(lab)
    local kang, kodos, krusty = lab:hosts({ "kang", "kodos", "krusty" }, {
      sysctls = { ["net.ipv4.tcp_early_retrans"] = 0 }, -- no probes: the timeout itself
    })
    local there = 150 * lab.millisecond
    local data = "tcp[tcpflags] & tcp-push != 0"

    local function first_retransmission(peer)
      local direction = "kang > " .. peer:name()
      peer:dnc("-k", "--on-eof", "close", "-l", 8080)
      local detour = lab:delay("* > *", "tcp", { by = there })
      local yesterday = kang:dnc("--on-stdin-eof", "shutdown", peer, 8080)
      lab:expect(yesterday):in_state "ESTABLISHED"
      yesterday:type "far\n"
      lab:expect_packet(direction, data)
      yesterday:close_stdin()
      lab:expect(kang):in_state "TIME_WAIT"
      detour:lift()

      local today = kang:dnc(peer, 8080)
      lab:expect(today):in_state "ESTABLISHED"
      local usual = lab:timer("lowest_timeout", kang)
      lab:lose(direction, data, { count = 1 })
      today:type "near\n"
      local lost = lab:expect_packet(direction, data, { fate = "lost" })
      local again = lab:expect_packet(direction, data, { fate = "delivered" })
      return again.t - lost.t, usual
    end

    local round_trip = 2 * there
    lab:expect_time(first_retransmission(kodos), 3 * round_trip, "after a long round trip, it")
    kang:sysctl("net.ipv4.tcp_no_metrics_save", 1)
    local took, usual = first_retransmission(krusty)
    lab:expect_time(took, usual, "with no memory of it, it")
  end,
}
