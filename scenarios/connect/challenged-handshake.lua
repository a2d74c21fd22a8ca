-- A challenge ACK is to do no harm, but during a handshake it does: the client echoes its time, and
-- the server takes only the time of its SYN,ACK for an answer to it. Whatever the client then
-- sends is refused until the SYN,ACK comes again, with a newer time.
return {
  title = "A challenge ACK in the middle of a handshake",
  asks = "What can one forged segment do to a connection whose handshake is not over?",
  source = "RFC 5961 section 3.2; RFC 7323 section 3; ip-sysctl, tcp_timestamps",
  here = "A RST that is in the window, but not at its edge, is answered with a challenge ACK. The "
    .. "client's data is then answered with ACK and dropped, for a second. Linux 6.18; kernels "
    .. "that do not look at the echoed time take it at once.",
  why = "tcp_check_req() refuses a segment whose echoed timestamp is not one that a SYN,ACK of "
    .. "this request had (snt_tsval_first to snt_tsval_last); the challenge ACK had a later one, "
    .. "which the client echoes in turn (RFC 7323 section 4). reqsk_timer_handler() sends the "
    .. "SYN,ACK again after TCP_TIMEOUT_INIT, and that raises the limit.",
  tags = { "connect", "forged", "half-open", "recovery" },
  needs = { "kernel 6.15" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    lab:lose("kang > kodos", "tcp[tcpflags] == tcp-ack", { count = 1 })
    local client = kang:dnc(kodos, 8080)
    local syn_ack = lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-syn|tcp-ack")
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "SYN_RECV"
    lab:wait(10 * lab.millisecond) -- timestamps count milliseconds: the challenge's is a later one

    local conn = lab:connection(kodos)
    conn:segment { flags = "R", seq = conn.rcv_nxt + 10 }
    lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-ack")
    client:type "hello\n"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-push != 0")
    lab:expect(kodos):still_in_state "SYN_RECV"
    local again = lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-syn|tcp-ack")
    lab:expect_time(again.t - syn_ack.t, lab:timer("initial_timeout", kodos), "the SYN,ACK again")
    lab:expect(server):prints "hello"
    lab:expect(kodos):in_state "ESTABLISHED"
  end,
}
