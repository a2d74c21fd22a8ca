-- Where both are set, TCP_USER_TIMEOUT decides how many keepalive probes there are: not
-- tcp_keepalive_probes.
return {
  title = "Keepalive with TCP_USER_TIMEOUT",
  asks = "When does keepalive give up if TCP_USER_TIMEOUT is set, too?",
  source = "tcp(7), TCP_USER_TIMEOUT; RFC 5482; tcp_keepalive_timer()",
  here = "At the first keepalive timer at or past TCP_USER_TIMEOUT that has a probe unanswered: "
    .. "one probe here, though nine are allowed. Linux 2.6.37 or newer, measured on 6.18.",
  why = "tcp_keepalive_timer() looks at icsk_user_timeout first; only when that is 0 at the number "
    .. "of probes. The time is counted from the last segment received.",
  tags = { "keepalive", "power", "options" },

  run = function(lab)
    local idle, interval = 1, 1
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local client = kang:dnc("--keepalive", idle .. "/" .. interval .. "/9",
      "--user-timeout", "500ms", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    local established = lab:expect(kodos):in_state "ESTABLISHED"

    kodos:power_off()
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack", { fate = "lost" })
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_time(gone.t - established.t, idle + interval, "giving up")
  end,
}
