-- Retransmissions become rarer, down to one every two minutes, so TCP notices late that a broken
-- path works again. tcp_rto_max_ms limits the interval.
return {
  title = "tcp_rto_max_ms",
  asks = "How far apart do retransmissions get, and what does a lower limit change?",
  source = "RFC 6298 section 2.5; ip-sysctl, tcp_rto_max_ms",
  here = "Each interval is twice the one before, up to tcp_rto_max_ms: 1 s here, 120 s by "
    .. "default. tcp_retries2 counts in the same steps, so TCP also gives up sooner: with "
    .. "tcp_retries2 = 15 after about 15 s instead of 15 minutes. Linux 6.15 or newer.",
  why = "tcp_retransmit_timer() doubles icsk_rto up to tcp_rto_max(). tcp_model_timeout(), which "
    .. "turns tcp_retries2 into a time, has the same limit. RFC 6298 allows a limit of 60 s or "
    .. "more.",
  tags = { "options", "loss", "timeout", "retransmission" },
  needs = { "sysctl net.ipv4.tcp_rto_max_ms" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_rto_max_ms"] = 1000, -- the minimum
      ["net.ipv4.tcp_retries2"] = 5,
      ["net.ipv4.tcp_early_retrans"] = 0,
    } }
    local highest = 1 * lab.second
    local client = lab:connect(kang, kodos)

    kodos:power_off()
    local gives_up_after = lab:timer("r2", client)
    client:type "kodos, are you there?\n"
    local write = lab:expect(client):call("write"):returns(22)
    local before = lab:expect_packet("kang > kodos", "data", { fate = "lost" })
    local interval = lab:timer("rto_min", kang)
    for _ = 1, 5 do
      local retransmission = lab:expect_packet("kang > kodos", "data", { fate = "lost" })
      lab:expect_time(retransmission.t - before.t, interval, "the next retransmission")
      before, interval = retransmission, math.min(2 * interval, highest)
    end
    local dead = lab:expect(client):within(2 * gives_up_after):in_state "CLOSED"
    lab:expect_between(dead.t - write.entered, lab:timer("r2_limit", kang), gives_up_after,
      "giving up")
  end,
}
