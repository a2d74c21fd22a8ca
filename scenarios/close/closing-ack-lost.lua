-- Both closed at once, and one acknowledgment is lost: one end is in TIME_WAIT, the other hangs in
-- CLOSING and sends its FIN again.
return {
  title = "CLOSING, and the ACK is lost",
  asks = "How does a simultaneous close get out of CLOSING when the acknowledgment is lost?",
  source = "RFC 9293 section 3.6, case 3; section 3.10.7.4 (TIME-WAIT: a retransmitted FIN)",
  here = "The end in CLOSING retransmits its FIN; TIME_WAIT acknowledges it again: TIME_WAIT on "
    .. "both. Linux, measured on 6.18.",
  why = "CLOSING has a FIN in flight and its retransmission timer. tcp_timewait_state_process() "
    .. "answers a FIN that it has seen already with the last ACK, and begins its 60 s anew.",
  tags = { "close" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--on-stdin-eof", "close", "-l", 8080)
    local client = kang:dnc("--on-stdin-eof", "close", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local wire = lab:hold("* > *", "tcp")
    client:close_stdin()
    server:close_stdin()
    lab:expect(client):in_state "FIN_WAIT1"
    lab:expect(server):in_state "FIN_WAIT1"
    local pure_ack = "tcp[tcpflags] = tcp-ack"
    local lost = lab:lose("kodos > kang", pure_ack, { count = 1 })
    wire:lift()
    lab:expect_packet("kodos > kang", pure_ack, { fate = "lost" })
    lab:expect(server):in_state "TIME_WAIT"
    lab:expect(client):in_state "CLOSING"

    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-fin != 0")
    lab:expect_packet("kodos > kang", pure_ack, { fate = "delivered" })
    lab:expect(client):in_state "TIME_WAIT"
    lost:lift()
  end,
}
