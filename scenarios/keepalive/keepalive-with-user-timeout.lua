-- A socket has both keepalive and TCP_USER_TIMEOUT. The user timeout then decides when to give up,
-- and tcp_keepalive_probes has no effect.
return {
  title = "Keepalive with TCP_USER_TIMEOUT",
  asks = "When does keepalive give up if TCP_USER_TIMEOUT is set, too?",
  source = "tcp(7), TCP_USER_TIMEOUT; RFC 5482; tcp_keepalive_timer()",
  here = "At the first keepalive timer at or after TCP_USER_TIMEOUT, if a probe is unanswered. "
    .. "Here that is after one probe, although nine are allowed. Linux 2.6.37 or newer, measured "
    .. "on 6.18.",
  why = "tcp_keepalive_timer() checks icsk_user_timeout first. It counts probes only if that is "
    .. "0. The time runs from the last segment received.",
  tags = { "keepalive", "power", "options" },

  run = function(lab)
    local idle, interval = 1, 1
    local kang, kodos = lab:pair()
    local client = lab:connect(kang, kodos, {
      client = { "--keepalive", idle .. "/" .. interval .. "/9", "--user-timeout", "500ms" },
    })
    local last_heard = lab:expect_packet("kodos > kang", "SYN ACK")

    kodos:power_off()
    lab:expect_packet("kang > kodos", "keepalive probe", { fate = "lost" })
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_time(gone.t - last_heard.t, idle + interval, "giving up")
  end,
}
