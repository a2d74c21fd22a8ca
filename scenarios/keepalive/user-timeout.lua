-- TCP_USER_TIMEOUT limits how long data may stay unacknowledged. It replaces the quarter of an hour
-- that tcp_retries2 allows. In RFC 793 it was a parameter of OPEN and SEND.
return {
  title = "TCP_USER_TIMEOUT",
  asks = "How soon does a connection with TCP_USER_TIMEOUT give up?",
  source = "tcp(7), TCP_USER_TIMEOUT; RFC 5482; RFC 9293 section 3.10.8 (USER TIMEOUT)",
  here = "With 500 ms, ETIMEDOUT comes 0.92 s after the write. The time runs from the first "
    .. "retransmission, which comes two RTOs after the write. Linux 2.6.37 or newer, measured on "
    .. "6.18.",
  why = "retransmits_timed_out() returns false until something was retransmitted, and counts from "
    .. "retrans_stamp. tcp_clamp_rto_to_user_timeout() shortens the last timer so that it fires "
    .. "in time. A tail loss probe goes out before the first retransmission (RFC 8985 section "
    .. "7.2).",
  tags = { "keepalive", "power", "options" },

  run = function(lab)
    local user_timeout = 500 * lab.millisecond
    local kang, kodos = lab:pair()
    local client = lab:connect(kang, kodos, { client = { "--user-timeout", "500ms" } })

    kodos:power_off()
    lab:idle(20 * lab.minute) -- TCP_USER_TIMEOUT does not end an idle connection
    lab:expect(client):still_in_state "ESTABLISHED"
    local gives_up_after = lab:timer("user_timeout", client, user_timeout)
    client:type "kodos, are you there?\n"
    local write = lab:expect(client):call("write"):returns(22)
    lab:expect(client):within(gives_up_after * 1.5 + 2):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_time(gone.t - write.entered, gives_up_after, "giving up")
  end,
}
