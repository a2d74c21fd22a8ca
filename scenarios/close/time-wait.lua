-- Who closes first waits, for segments of the past to die out. On Linux that is a minute, whatever
-- the settings: tcp_fin_timeout, which many believe to be it, is about something else.
return {
  title = "TIME_WAIT",
  asks = "How long is TIME_WAIT, and what shortens it?",
  source = "RFC 9293 section 3.4.2 and 3.6.1 (MSL); include/net/tcp.h, TCP_TIMEWAIT_LEN",
  here = "60 s, with tcp_fin_timeout 1 as well. Linux, measured on 6.18.",
  why = "TCP_TIMEWAIT_LEN is a constant: twice the maximum segment lifetime of 30 s. "
    .. "tcp_fin_timeout is the orphan's FIN_WAIT2, which TIME_WAIT's machinery keeps, and so the "
    .. "two are mixed up.",
  tags = { "close", "time-wait" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_fin_timeout"] = "1" } }
    local server = kodos:dnc("--nc", "-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:stop()
    local waiting = lab:expect(client):in_state "TIME_WAIT"
    lab:expect(kodos):has_no_connection()
    local time_wait = lab:timer("time_wait", kang)
    local gone = lab:expect(client):within(time_wait * 1.5):in_state "CLOSED"
    lab:expect_time(gone.t - waiting.t, time_wait, "TIME_WAIT")
  end,
}
