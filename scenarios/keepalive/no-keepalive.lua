-- A program that only reads, without keepalive, never finds out that the peer is gone. TCP has no
-- data to retransmit, so it sends nothing. Connections to hosts scrapped years ago can still be
-- ESTABLISHED.
return {
  title = "No keepalive",
  asks = "When does a program that only reads find out that the other host is gone?",
  source = "RFC 1122 section 4.2.3.6 (keepalive must default to off); RFC 9293 section 3.8.4",
  here = "Never. The kernel sends no frame, the state stays ESTABLISHED, and poll waits. Measured "
    .. "on Linux 6.18.",
  why = "TCP's timers run for data that needs an acknowledgment, and an idle connection has none. "
    .. "SO_KEEPALIVE is off unless the program sets it, whatever tcp_keepalive_time says.",
  tags = { "keepalive", "power" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client = lab:connect(kang, kodos)
    lab:expect_packet("kang > kodos", "ACK only")

    kodos:power_off()
    lab:never_packet(lab.timers == "fast" and 1.5 * lab:timer("keepalive_timeout", kang) or 60,
      "kang > kodos", "tcp")
    lab:never(client, 0.1 * lab.second):call("poll"):returns()
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
