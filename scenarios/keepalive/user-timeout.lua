-- TCP_USER_TIMEOUT is the program's own patience for data that is not acknowledged, in place of
-- tcp_retries2's quarter of an hour. RFC 793 had it as a parameter of OPEN and SEND.
return {
  title = "TCP_USER_TIMEOUT",
  asks = "How soon does a connection die whose program set TCP_USER_TIMEOUT?",
  source = "tcp(7), TCP_USER_TIMEOUT; RFC 5482; RFC 9293 section 3.10.8 (USER TIMEOUT)",
  here = "With 500 ms, ETIMEDOUT 0.92 s after the write: the time counts from the first "
    .. "retransmission, which is two retransmission timeouts after the write. Linux 2.6.37 or "
    .. "newer, measured on 6.18.",
  why = "retransmits_timed_out() answers no before anything was retransmitted, and counts from "
    .. "retrans_stamp; tcp_clamp_rto_to_user_timeout() lets the last timer fire in time. The tail "
    .. "loss probe goes out first (RFC 8985 section 7.2).",
  tags = { "keepalive", "power", "options" },

  run = function(lab)
    local patience = 500 * lab.millisecond
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local client = kang:dnc("--user-timeout", "500ms", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"

    kodos:power_off()
    lab:idle(20 * lab.minute) -- it is not about idle connections
    lab:expect(client):still_in_state "ESTABLISHED"
    local gives_up_after = lab:timer("user_timeout", client, patience)
    client:type "kodos, are you there?\n"
    local write = lab:expect(client):call("write"):returns(22)
    lab:expect(client):within(gives_up_after * 1.5 + 2):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_time(gone.t - write.t, gives_up_after, "giving up")
  end,
}
