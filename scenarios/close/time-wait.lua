-- The side that closes first waits in TIME_WAIT until old segments have expired. On Linux that
-- takes 60 s, and no setting changes it. tcp_fin_timeout, often mistaken for it, limits FIN_WAIT2.
return {
  title = "TIME_WAIT",
  asks = "How long does TIME_WAIT last, and what shortens it?",
  source = "RFC 9293 sections 3.4.2 and 3.6.1 (MSL); include/net/tcp.h, TCP_TIMEWAIT_LEN",
  here = "60 s. No sysctl shortens it, not even tcp_fin_timeout = 1. Measured on Linux 6.18.",
  why = "TCP_TIMEWAIT_LEN is a constant: twice a maximum segment lifetime of 30 s. "
    .. "tcp_fin_timeout limits an orphan's FIN_WAIT2. The kernel keeps such an orphan in the same "
    .. "structure as TIME_WAIT (inet_timewait_sock), which is why people confuse the two.",
  tags = { "close", "time-wait" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_fin_timeout"] = "1" } }
    local client = lab:connect(kang, kodos, { server = { "--nc" } })

    client:stop()
    local waiting = lab:expect(client):in_state "TIME_WAIT"
    lab:expect(kodos):has_no_connection()
    local time_wait = lab:timer("time_wait", kang)
    local gone = lab:expect(client):within(time_wait * 1.5):in_state "CLOSED"
    lab:expect_time(gone.t - waiting.t, time_wait, "TIME_WAIT")
  end,
}
