-- One frame is lost, the first SYN. connect succeeds but takes one second longer. A latency just
-- over one second is the sign of a lost SYN.
return {
  title = "SYN lost",
  asks = "What does a client notice when its first SYN is lost?",
  source = "RFC 6298 sections 2.1 and 5.7; RFC 9293 section 3.5",
  here = "connect returns 0, one second late. Linux 3.1 or newer; older kernels wait three "
    .. "seconds.",
  why = "The kernel has no RTT sample of the path yet. It retransmits the SYN after "
    .. "TCP_TIMEOUT_INIT, one second, whatever tcp_rto_min is, and with the same sequence number.",
  tags = { "connect", "retransmission", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    lab:lose("kang > kodos", "SYN", { count = 1 })
    local client = kang:dnc(kodos, 8080)
    local lost = lab:expect_packet("kang > kodos", "SYN", { fate = "lost" })
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(kodos):has_no_connection()
    local retransmission = lab:expect_packet("kang > kodos", "SYN",
      { fate = "delivered" })
    lab:expect_time(retransmission.t - lost.t, lab:timer("initial_rto", kang),
      "the SYN retransmission")
    lab:check(retransmission.seq == lost.seq, "the second SYN has the same sequence number")
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"
  end,
}
