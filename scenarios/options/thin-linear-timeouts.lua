-- Games and remote desktops have few segments in flight. For such connections the kernel can send
-- six retransmissions at a constant interval before it starts to double the interval.
return {
  title = "tcp_thin_linear_timeouts",
  asks = "Does TCP always double the interval between retransmissions?",
  source = "ip-sysctl, tcp_thin_linear_timeouts; RFC 6298 section 5.5; "
    .. "Documentation/networking/tcp-thin.rst",
  here = "No: with tcp_thin_linear_timeouts the first six retransmissions are one RTO apart. With "
    .. "BBR the setting has no effect: the intervals double. Linux 2.6.34 or newer, measured on "
    .. "6.18.",
  why = "tcp_retransmit_timer() keeps icsk_backoff at 0 while tcp_stream_is_thin() and "
    .. "icsk_retransmits is at most TCP_THIN_LINEAR_RETRIES, 6. A stream can be thin only after "
    .. "its initial slow start, when snd_ssthresh is finite. bbr_ssthresh() leaves it infinite.",
  tags = { "options", "loss" },

  run = function(lab)
    local kang, kodos = lab:pair {
      sysctls = {
        ["net.ipv4.tcp_thin_linear_timeouts"] = "1",
        ["net.ipv4.tcp_congestion_control"] = "reno",
        ["net.ipv4.tcp_retries2"] = "5",
      },
    }
    local client = lab:connect(kang, kodos)

    kodos:power_off()
    local interval = lab:timer("first_retransmission", client) / 2 -- the RTO itself
    client:type "kodos, are you there?\n"
    lab:expect_packet("kang > kodos", "data", { fate = "lost" })
    lab:expect_packet("kang > kodos", "data", { fate = "lost" }) -- the tail loss probe
    local first = lab:expect_packet("kang > kodos", "data", { fate = "lost" })
    local last
    for _ = 1, 4 do
      last = lab:expect_packet("kang > kodos", "data", { fate = "lost" })
    end
    -- All four together: if one is seen late, the next interval looks too short.
    lab:expect_time(last.t - first.t, 4 * interval, "four retransmissions at a constant interval")
  end,
}
