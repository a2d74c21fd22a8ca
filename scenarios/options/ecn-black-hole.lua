-- A box on the path drops SYNs that ask for ECN. Each connect takes a second longer, because only
-- the second SYN gets through. If the kernel may not fall back, connect fails.
return {
  title = "A path that drops SYNs with ECN",
  asks = "Why does every connect take a second longer since ECN was enabled?",
  source = "RFC 3168 section 6.1.1.1; ip-sysctl, tcp_ecn, tcp_ecn_fallback",
  here = "Because the path drops the first SYN, which has ECE and CWR. The second SYN has neither "
    .. "flag and connects. With tcp_ecn_fallback = 0 every SYN asks for ECN, and connect fails "
    .. "with ETIMEDOUT. Linux 4.2 or newer, measured on 6.18.",
  why = "tcp_ecn_clear_syn() clears the flags on a retransmitted SYN, because the sender cannot "
    .. "know why the first one was lost.",
  tags = { "options", "connect", "loss" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_ecn"] = "1" } }
    kodos:dnc("-k", "-l", 8080)
    lab:lose("kang > kodos", "tcp[13] & 0xc0 = 0xc0")
    local client = kang:dnc(kodos, 8080)
    local with_ecn = lab:expect_packet("kang > kodos", "tcp[13] = 0xc2", { fate = "lost" })
    local without_ecn = lab:expect_packet("kang > kodos", "tcp[13] = 0x02", { fate = "delivered" })
    lab:expect_time(without_ecn.t - with_ecn.t, lab:timer("initial_rto", kang),
      "the second SYN")
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):in_state "ESTABLISHED"

    kang:sysctl("net.ipv4.tcp_ecn_fallback", 0)
    local patience = lab:timer("syn_r2", kang) * 1.5 + 2
    local stubborn = kang:dnc(kodos, 8080)
    lab:expect(stubborn):within(patience):call("connect"):fails "ETIMEDOUT"
  end,
}
