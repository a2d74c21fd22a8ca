-- The host never answers: it is powered off behind a router, or a firewall drops the SYN. The
-- client's kernel retransmits the SYN until it gives up, which takes more than two minutes by
-- default.
return {
  title = "Connect to a black hole",
  asks = "How long does connect wait for a host that never answers?",
  source = "RFC 9293 section 3.8.3; RFC 1122 section 4.2.3.5; ip-sysctl, tcp_syn_retries",
  here = "ETIMEDOUT after 135 s with the defaults. The SYNs are sent at 0, 1, 2, 3, 4, 5, 7, 11, "
    .. "19, 35 and 69 s on Linux 6.5 or newer. Older kernels send them at 0, 1, 3, 7, 15, 31 and "
    .. "63 s and give up after 127 s.",
  why = "The initial RTO is one second (RFC 6298 section 2.1). It stays at one second for "
    .. "tcp_syn_linear_timeouts retransmissions and then doubles each time. tcp_write_timeout() "
    .. "gives up at the first timer that expires at least 2^(n + 1) - 1 seconds after the first "
    .. "SYN, where n is tcp_syn_retries: 127 s by default.",
  tags = { "connect", "timeout" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:cut("kang > kodos")
    local client = kang:dnc(kodos, 8080)
    local first = lab:expect_packet("kang > kodos", "SYN", { fate = "lost" })
    lab:expect(client):in_state "SYN_SENT"
    local second = lab:expect_packet("kang > kodos", "SYN", { fate = "lost" })
    lab:expect_time(second.t - first.t, lab:timer("initial_rto", kang), "the second SYN")

    local gives_up_after = lab:timer("syn_r2", kang)
    local time_limit = gives_up_after * 1.5 + 2 * lab.second
    lab:expect(client):within(time_limit):call("connect"):fails "ETIMEDOUT"
    local gone = lab:expect(client):within(time_limit):in_state "CLOSED"
    lab:expect_time(gone.t - first.t, gives_up_after, "giving up")
    lab:expect(client):exits(1)
  end,
}
