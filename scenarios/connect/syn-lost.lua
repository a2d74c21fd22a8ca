-- The smallest failure of a network: one frame is lost, and it is the first. connect hides it, and
-- takes a second longer; a latency of just over one second is the mark of it.
return {
  title = "The SYN is lost",
  asks = "What does a client notice when its first SYN is lost?",
  source = "RFC 6298 sections 2.1 and 5.7; RFC 9293 section 3.5",
  here = "connect returns 0, one second late. Any Linux since 3.1 (three seconds before).",
  why = "Nothing is known of the path yet, so the SYN waits TCP_TIMEOUT_INIT, one second, whatever "
    .. "tcp_rto_min says, and is sent again with the same sequence number.",
  tags = { "connect", "retransmission", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    lab:lose("kang > kodos", "tcp[tcpflags] == tcp-syn", { count = 1 })
    local client = kang:dnc(kodos, 8080)
    local lost = lab:expect_packet("kang > kodos", "tcp[tcpflags] == tcp-syn", { fate = "lost" })
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(kodos):has_no_connection()
    local again = lab:expect_packet("kang > kodos", "tcp[tcpflags] == tcp-syn",
      { fate = "delivered" })
    lab:expect_time(again.t - lost.t, lab:timer("initial_timeout", kang), "the second SYN")
    if again.seq ~= lost.seq then error "the second SYN is not the first" end
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"
  end,
}
