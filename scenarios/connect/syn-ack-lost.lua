-- When the answer is lost, both ends know of the connection, each a different half of it. Both
-- have a timer, and whoever's ends first mends it.
return {
  title = "The SYN,ACK is lost",
  asks = "In which states are the two ends when the SYN,ACK is lost, and who mends it?",
  source = "RFC 9293 section 3.5; RFC 6298 section 2.1; ip-sysctl, tcp_synack_retries",
  here = "SYN_SENT and SYN_RECV for one second; then the SYN, or the SYN,ACK, comes again, and "
    .. "connect returns 0. Any Linux.",
  why = "The client sends its SYN again, and a SYN that comes again is answered again "
    .. "(tcp_check_req()); the server's own timer (reqsk_timer_handler()) sends the SYN,ACK again, "
    .. "too. Both have waited TCP_TIMEOUT_INIT.",
  tags = { "connect", "retransmission", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local syn_ack = "tcp[tcpflags] == tcp-syn|tcp-ack"
    lab:lose("kodos > kang", syn_ack, { count = 1 })
    local client = kang:dnc(kodos, 8080)
    local lost = lab:expect_packet("kodos > kang", syn_ack, { fate = "lost" })
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(kodos):in_state "SYN_RECV"

    local again = lab:expect_packet("kodos > kang", syn_ack, { fate = "delivered" })
    lab:expect_time(again.t - lost.t, lab:timer("initial_timeout", kodos), "the next SYN,ACK")
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"
  end,
}
