-- Keepalive is for idle connections. A program that writes into the silence has data in flight,
-- and then only the retransmission timer counts, which is much more patient: a quarter of an hour
-- by default, however small the keepalive times are.
return {
  title = "Keepalive does not help who writes",
  asks = "Does keepalive end a connection sooner when the program has just written?",
  source = "tcp(7), SO_KEEPALIVE; RFC 1122 section 4.2.3.6; tcp_keepalive_timer()",
  here = "No: no probe is sent while data is unacknowledged, and ETIMEDOUT comes after "
    .. "tcp_retries2's time, not keepalive's. Linux, measured on 6.18.",
  why = "tcp_keepalive_timer() goes to sleep again where packets are out or to be sent: \"It is "
    .. "alive without keepalive\". A program that writes needs TCP_USER_TIMEOUT.",
  tags = { "keepalive", "power" },
  quiz = {
    asks = "Keepalive is set to find a dead peer within 2 seconds. The peer dies, and the "
      .. "program writes at once. When is it told?",
    { "When tcp_retries2's time has passed: much later than 2 s by default", right = true,
      because = "Who writes and wants to know sooner sets TCP_USER_TIMEOUT." },
    { "After 2 seconds, by keepalive",
      because = "No probe is sent while data is not acknowledged." },
    { "At once: the write fails",
      because = "write only fills a buffer, and no kernel knows yet that the peer is dead." },
    { "After 2 seconds, counted from the write",
      because = "The keepalive timer goes to sleep where data is in flight." },
  },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_keepalive_time"] = "1",
      ["net.ipv4.tcp_keepalive_intvl"] = "1",
      ["net.ipv4.tcp_keepalive_probes"] = "1",
      ["net.ipv4.tcp_retries2"] = "3",
    } }
    kodos:dnc("-l", 8080)
    local client = kang:dnc("--keepalive", "//", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"

    kodos:power_off()
    client:type "kodos, are you there?\n"
    local write = lab:expect(client):call("write"):returns(22)
    local gives_up_after = lab:timer("retransmission_timeout", client)
    lab:never(client, 1.5 * lab:timer("keepalive_timeout", kang)):in_state "CLOSED"
    lab:expect(client):within(gives_up_after):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_time(gone.t - write.t, gives_up_after, "giving up")
  end,
}
