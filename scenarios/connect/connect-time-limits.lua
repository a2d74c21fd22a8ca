-- By default connect waits as long as the system-wide tcp_syn_retries says, which may be minutes. A
-- program sets its own limit with TCP_USER_TIMEOUT (in ms) or TCP_SYNCNT (in SYN retransmissions).
-- Both end the connection attempt, not only the call.
return {
  title = "Time limits for connect",
  asks = "How can a program make connect give up sooner than the system default?",
  source = "tcp(7), TCP_SYNCNT, TCP_USER_TIMEOUT; RFC 5482",
  here = "With TCP_USER_TIMEOUT, connect fails with ETIMEDOUT after that time. TCP_SYNCNT = n "
    .. "gives the same time as tcp_syn_retries = n. Measured on Linux 6.18.",
  why = "tcp_write_timeout() uses the socket's icsk_syn_retries if set, otherwise the sysctl. "
    .. "retransmits_timed_out() compares the elapsed time with icsk_user_timeout. "
    .. "tcp_clamp_rto_to_user_timeout() shortens the last timer to end at that limit.",
  tags = { "connect", "timeout", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:cut("kang > kodos")
    local retries = 1
    kang:sysctl("net.ipv4.tcp_syn_retries", retries)
    local by_count = lab:timer("syn_r2", kang)
    kang:sysctl("net.ipv4.tcp_syn_retries", 6)
    local user_timeout = 1.5 * lab.second

    local hasty = kang:dnc("--user-timeout", user_timeout .. "s", kodos, 8080)
    local counting = kang:dnc("--repl")
    counting:type("socket\nsetsockopt TCP_SYNCNT " .. retries .. "\n")
    counting:type "connect kodos 8080\n"
    local sooner = lab:expect(hasty):call("connect"):fails "ETIMEDOUT"
    lab:expect_time(sooner.t - sooner.entered, user_timeout, "TCP_USER_TIMEOUT")
    local later = lab:expect(counting):within(2 * by_count):call("connect"):fails "ETIMEDOUT"
    lab:expect_time(later.t - later.entered, by_count, "TCP_SYNCNT")
  end,
}
