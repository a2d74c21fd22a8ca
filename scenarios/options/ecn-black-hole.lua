-- A box on the way drops SYNs that ask for ECN. Connections work, each a second late; or not at
-- all, where the kernel is told not to try without.
return {
  title = "A path that drops ECN",
  asks = "Why does every connection take a second longer since ECN was switched on?",
  source = "RFC 3168 section 6.1.1.1; ip-sysctl, tcp_ecn, tcp_ecn_fallback",
  here = "The first SYN, with ECE and CWR, is lost; the second has neither, and connects. With "
    .. "tcp_ecn_fallback 0 each SYN asks again: ETIMEDOUT. Linux 4.2 or newer, measured on 6.18.",
  why = "tcp_ecn_clear_syn() takes the flags off a SYN that is sent again, for what its loss means "
    .. "cannot be known.",
  tags = { "options", "connect", "loss" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_ecn"] = "1" } }
    kodos:dnc("-k", "-l", 8080)
    lab:lose("kang > kodos", "tcp[13] & 0xc0 = 0xc0")
    local client = kang:dnc(kodos, 8080)
    local asks = lab:expect_packet("kang > kodos", "tcp[13] = 0xc2", { fate = "lost" })
    local plain = lab:expect_packet("kang > kodos", "tcp[13] = 0x02", { fate = "delivered" })
    lab:expect_time(plain.t - asks.t, lab:timer("initial_timeout", kang), "the second SYN")
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):in_state "ESTABLISHED"

    kang:sysctl("net.ipv4.tcp_ecn_fallback", 0)
    local patience = lab:timer("connect_timeout", kang) * 1.5 + 2
    local stubborn = kang:dnc(kodos, 8080)
    lab:expect(stubborn):within(patience):call("connect"):fails "ETIMEDOUT"
  end,
}
