-- The last ACK of a handshake is lost. An ACK is not retransmitted, so the client is ESTABLISHED
-- while the server stays in SYN_RECV, until another segment carries the missing ACK.
return {
  title = "Last ACK of the handshake lost",
  asks = "How does a handshake recover when its last ACK is lost?",
  source = "RFC 9293 section 3.10.7.4 (SYN-RECEIVED, ACK); ip-sysctl, tcp_synack_retries",
  here = "The client's first data carries the ACK and completes the handshake. Without data, the "
    .. "server retransmits the SYN/ACK after one second, and the client answers it. Until then the "
    .. "client is ESTABLISHED, the server is in SYN_RECV, and accept waits. Any Linux version.",
  why = "Every segment after the SYN carries an ACK, so any of them completes the handshake "
    .. "(tcp_check_req()). A SYN/ACK that arrives in ESTABLISHED is an old duplicate, which the "
    .. "client answers with an ACK.",
  tags = { "connect", "retransmission", "half-open", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("--no-accept", "-l", 8080)
    local last_ack = lab:lose("kang > kodos", "ACK only", { count = 1 })
    local silent = kang:dnc("-p", 1111, kodos, 8080)
    local lost = lab:expect_packet("kang > kodos", "ACK only", { fate = "lost" })
    lab:expect(silent):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "SYN_RECV"
    local syn_ack = lab:expect_packet("kodos > kang", "SYN ACK")
    local answer = lab:expect_packet("kang > kodos", "ACK only")
    lab:expect_time(answer.t - lost.t, lab:timer("initial_rto", kodos),
      "the SYN/ACK retransmission")
    if syn_ack.t < lost.t then
      lab:expect_packet("kodos > kang", "SYN ACK")
    end
    lab:expect(kodos):in_state "ESTABLISHED"
    last_ack:remove()

    lab:lose("kang > kodos", "ACK only", { count = 1 })
    local talker = kang:dnc("-p", 2222, kodos, 8080)
    lab:expect(talker):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "SYN_RECV"
    talker:type "hello\n"
    lab:expect_packet("kang > kodos", "data")
    lab:expect(kodos):in_state "ESTABLISHED"
  end,
}
