-- TCP_USER_TIMEOUT is about data in its manual page; it ends connection attempts as well.
return {
  title = "TCP_USER_TIMEOUT and connect",
  asks = "Does TCP_USER_TIMEOUT shorten an attempt to connect?",
  source = "tcp(7), TCP_USER_TIMEOUT; tcp_write_timeout()",
  here = "Yes: ETIMEDOUT after a second and a half, the time set, rather than tcp_syn_retries' 135 "
    .. "s. Linux, measured on 6.18.",
  why = "retransmits_timed_out() is asked in SYN_SENT, too. It answers no before the first "
    .. "retransmission, a second after the SYN, so a shorter time takes that second.",
  tags = { "options", "connect" },

  run = function(lab)
    local patience = 1.5 * lab.second
    local kang = lab:pair { sysctls = { ["net.ipv4.tcp_syn_retries"] = "6" } }
    lab:cut("kang > kodos", "tcp")
    local client = kang:dnc("--user-timeout", "1500ms", "kodos", 8080)
    lab:expect(client):in_state "SYN_SENT"
    local connect = lab:expect(client):call("connect"):fails "ETIMEDOUT"
    lab:expect_time(connect.t - connect.entered, patience, "connect")
    lab:expect(client):in_state "CLOSED"
  end,
}
