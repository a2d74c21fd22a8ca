-- How long a connect may take is the administrator's to say (tcp_syn_retries), and the program's:
-- TCP_USER_TIMEOUT in milliseconds, TCP_SYNCNT in SYNs. Both end the connection, not the call only.
return {
  title = "A connect with its own patience",
  asks = "How can a program make connect give up sooner than the system would?",
  source = "tcp(7), TCP_SYNCNT, TCP_USER_TIMEOUT; RFC 5482",
  here = "With TCP_USER_TIMEOUT ETIMEDOUT comes at that time. With TCP_SYNCNT it comes when "
    .. "tcp_syn_retries of that number would bring it. Linux 6.18.",
  why = "tcp_write_timeout() asks the socket's icsk_syn_retries before the sysctl, and "
    .. "retransmits_timed_out() its icsk_user_timeout, by which the last timer is cut short, too "
    .. "(tcp_clamp_rto_to_user_timeout()).",
  tags = { "connect", "timeout", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:cut("kang > kodos")
    local syns = 1
    kang:sysctl("net.ipv4.tcp_syn_retries", syns)
    local by_count = lab:timer("connect_timeout", kang)
    kang:sysctl("net.ipv4.tcp_syn_retries", 6)
    local patience = 1.5 * lab.second

    local hasty = kang:dnc("--user-timeout", patience .. "s", kodos, 8080)
    local counting = kang:dnc("--repl")
    counting:type("socket " .. lab.family .. "\nsetsockopt TCP_SYNCNT " .. syns .. "\n")
    counting:type "connect kodos 8080\n"
    local sooner = lab:expect(hasty):call("connect"):fails "ETIMEDOUT"
    lab:expect_time(sooner.t - sooner.entered, patience, "TCP_USER_TIMEOUT")
    local later = lab:expect(counting):within(2 * by_count):call("connect"):fails "ETIMEDOUT"
    lab:expect_time(later.t - later.entered, by_count, "TCP_SYNCNT")
  end,
}
