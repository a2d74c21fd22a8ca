-- Both ends close at once, and one of the two acknowledgments is lost. One end reaches TIME_WAIT.
-- The other stays in CLOSING until it has retransmitted its FIN.
return {
  title = "The ACK is lost in CLOSING",
  asks = "How does a simultaneous close leave CLOSING when an acknowledgment is lost?",
  source = "RFC 9293 section 3.6, case 3; section 3.10.7.4 (TIME-WAIT: a retransmitted FIN)",
  here = "The end in CLOSING retransmits its FIN. The end in TIME_WAIT acknowledges it again. "
    .. "Then both ends are in TIME_WAIT. Measured on Linux 6.18.",
  why = "In CLOSING the FIN is in flight, so the retransmission timer runs. In TIME_WAIT, "
    .. "tcp_timewait_state_process() answers a retransmitted FIN with the last ACK and restarts "
    .. "its 60 s.",
  tags = { "close" },

  run = function(lab)
    local client, server = lab:connected {
      client = { "--on-stdin-eof", "close" }, server = { "--on-stdin-eof", "close" },
    }

    local wire = lab:hold("* > *", "tcp")
    client:close_stdin()
    server:close_stdin()
    lab:expect(client):in_state "FIN_WAIT1"
    lab:expect(server):in_state "FIN_WAIT1"
    local loss = lab:lose("kodos > kang", "ACK only", { count = 1 })
    wire:remove()
    lab:expect_packet("kodos > kang", "ACK only", { fate = "lost" })
    lab:expect(server):in_state "TIME_WAIT"
    lab:expect(client):in_state "CLOSING"

    lab:expect_packet("kang > kodos", "FIN")
    lab:expect_packet("kodos > kang", "ACK only", { fate = "delivered" })
    lab:expect(client):in_state "TIME_WAIT"
    loss:remove()
  end,
}
