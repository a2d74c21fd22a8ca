-- With tcp_early_retrans, the default, a probe recovers a loss at the end of a burst before the
-- retransmission timer expires. Without probes only that timer is left. It then starts at the
-- write, not at the probe.
return {
  title = "tcp_early_retrans = 0",
  asks = "When is a single lost segment retransmitted, with and without tail loss probes?",
  source = "ip-sysctl, tcp_early_retrans; RFC 8985 section 7",
  here = "Without probes, one RTO after the write. With probes, the probe goes out at that time, "
    .. "and a further retransmission one RTO later. Linux 3.10 or newer, measured on 6.18.",
  why = "tcp_schedule_loss_probe() starts the probe's timer in place of the retransmission timer. "
    .. "For a single segment, the probe's time includes an allowance for a delayed ACK, so it is "
    .. "about one RTO.",
  tags = { "options", "loss" },

  run = function(lab)
    local client, server = lab:connected { sysctls = { ["net.ipv4.tcp_early_retrans"] = "0" } }

    lab:lose("kang > kodos", "data", { count = 1 })
    local expected = lab:timer("first_retransmission", client)
    client:type "lost at first\n"
    local lost = lab:expect_packet("kang > kodos", "data", { fate = "lost" })
    local retransmission = lab:expect_packet("kang > kodos", "data", { fate = "delivered" })
    lab:expect_time(retransmission.t - lost.t, expected, "the retransmission")
    lab:expect(server):prints "lost at first"
  end,
}
