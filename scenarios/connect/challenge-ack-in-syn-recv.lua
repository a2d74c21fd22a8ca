-- A challenge ACK should be harmless, but during a handshake it is not. The client echoes the
-- timestamp of the challenge ACK, and the server expects the timestamp of its SYN/ACK. It drops the
-- client's data until it retransmits the SYN/ACK: one forged RST delays the connection by a second.
return {
  title = "Challenge ACK during a handshake",
  asks = "What can one forged segment do to a connection whose handshake is not complete?",
  source = "RFC 5961 section 3.2; RFC 7323 section 3; ip-sysctl, tcp_timestamps",
  here = "The server answers a RST that is inside its window, but not at RCV.NXT, with a challenge "
    .. "ACK. For the next second it drops the client's data and answers it with an ACK. Measured "
    .. "on Linux 6.18. Kernels that do not check the echoed timestamp accept the data at once.",
  why = "tcp_check_req() drops a segment unless its echoed timestamp is one that a SYN/ACK of this "
    .. "request carried (snt_tsval_first to snt_tsval_last). The challenge ACK carried a later "
    .. "one, which the client echoes (RFC 7323 section 4). After TCP_TIMEOUT_INIT, "
    .. "reqsk_timer_handler() retransmits the SYN/ACK, which raises the upper limit.",
  tags = { "connect", "forged", "half-open", "recovery" },
  needs = { "kernel 6.15" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    lab:lose("kang > kodos", "ACK only", { count = 1 })
    local client = kang:dnc(kodos, 8080)
    local syn_ack = lab:expect_packet("kodos > kang", "SYN ACK")
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "SYN_RECV"
    lab:wait(10 * lab.millisecond) -- timestamps count ms, so the challenge ACK has a later one

    local conn = lab:connection(kodos)
    conn:segment { flags = "R", seq = conn.rcv_nxt + 10 }
    lab:expect_packet("kodos > kang", "ACK only")
    client:type "hello\n"
    lab:expect_packet("kang > kodos", "data")
    lab:expect(kodos):still_in_state "SYN_RECV"
    local retransmission = lab:expect_packet("kodos > kang", "SYN ACK")
    lab:expect_time(retransmission.t - syn_ack.t, lab:timer("initial_rto", kodos),
      "the SYN/ACK retransmission")
    lab:expect(server):prints "hello"
    lab:expect(kodos):in_state "ESTABLISHED"
  end,
}
