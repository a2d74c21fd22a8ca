-- The SYN/ACK is lost: the client is in SYN_SENT, the server in SYN_RECV. Both have a
-- retransmission timer, and the first one to expire completes the handshake.
return {
  title = "SYN/ACK lost",
  asks = "If the SYN/ACK is lost, in which states are both ends, and how do they recover?",
  source = "RFC 9293 section 3.5; RFC 6298 section 2.1; ip-sysctl, tcp_synack_retries",
  here = "SYN_SENT and SYN_RECV for one second. Then the client retransmits the SYN, or the server "
    .. "the SYN/ACK, and connect returns 0. Any Linux version.",
  why = "The client retransmits its SYN, and the server answers it again (tcp_check_req()). The "
    .. "server's own timer (reqsk_timer_handler()) also retransmits the SYN/ACK. Both wait "
    .. "TCP_TIMEOUT_INIT.",
  tags = { "connect", "retransmission", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    lab:lose("kodos > kang", "SYN ACK", { count = 1 })
    local client = kang:dnc(kodos, 8080)
    local lost = lab:expect_packet("kodos > kang", "SYN ACK", { fate = "lost" })
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(kodos):in_state "SYN_RECV"

    local retransmission = lab:expect_packet("kodos > kang", "SYN ACK", { fate = "delivered" })
    lab:expect_time(retransmission.t - lost.t, lab:timer("initial_rto", kodos),
      "the SYN/ACK retransmission")
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"
  end,
}
