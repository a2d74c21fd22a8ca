-- The third segment of a handshake has no retransmission of its own: an ACK is never acknowledged.
-- The client is done and the server is not, until something else brings the news.
return {
  title = "The last ACK of the handshake is lost",
  asks = "What mends a handshake whose last ACK is lost?",
  source = "RFC 9293 section 3.10.7.4 (SYN-RECEIVED, ACK); ip-sysctl, tcp_synack_retries",
  here = "The client is ESTABLISHED, the server in SYN_RECV and accept waits. The first data "
    .. "brings the ACK with it; without data, the SYN,ACK comes again after one second and is "
    .. "answered. Any Linux.",
  why = "Every segment after the SYN carries the ACK, so any of them completes the handshake "
    .. "(tcp_check_req()). A SYN,ACK that arrives in ESTABLISHED is an old duplicate, and is "
    .. "answered with an ACK.",
  tags = { "connect", "retransmission", "half-open", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("--no-accept", "-l", 8080)
    local last_ack = lab:lose("kang > kodos", "tcp[tcpflags] == tcp-ack", { count = 1 })
    local silent = kang:dnc("-p", 1111, kodos, 8080)
    local lost = lab:expect_packet("kang > kodos", "tcp[tcpflags] == tcp-ack", { fate = "lost" })
    lab:expect(silent):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "SYN_RECV"
    local again = lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-syn|tcp-ack")
    local answer = lab:expect_packet("kang > kodos", "tcp[tcpflags] == tcp-ack")
    lab:expect_time(answer.t - lost.t, lab:timer("initial_timeout", kodos), "the SYN,ACK again")
    if again.t < lost.t then
      lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-syn|tcp-ack")
    end
    lab:expect(kodos):in_state "ESTABLISHED"
    last_ack:lift()

    lab:lose("kang > kodos", "tcp[tcpflags] == tcp-ack", { count = 1 })
    local talker = kang:dnc("-p", 2222, kodos, 8080)
    lab:expect(talker):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "SYN_RECV"
    talker:type "hello\n"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-push != 0")
    lab:expect(kodos):in_state "ESTABLISHED"
  end,
}
