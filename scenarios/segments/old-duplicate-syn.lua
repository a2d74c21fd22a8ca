-- A SYN of an earlier attempt was delayed and arrives just before the current one. The listener
-- cannot tell them apart, but the host that sent them can.
return {
  title = "Recovery from an old duplicate SYN",
  asks = "What happens when an old SYN arrives before the current one?",
  source = "RFC 9293 section 3.5, Figure 8 (Figure 9 of RFC 793)",
  here = "The listener answers the old SYN. The client sees an ACK number that does not match its "
    .. "current SYN and sends a RST. The listener drops the half-open connection, and the current "
    .. "SYN connects. Any Linux version.",
  why = "If an ACK in SYN_SENT does not acknowledge the host's SYN, the host answers with a RST. "
    .. "The RST's sequence number is that ACK number, which is what the listener expects next "
    .. "(tcp_rcv_synsent_state_process() in net/ipv4/tcp_input.c).",
  tags = { "segments", "syn", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local late = lab:hold("kang > kodos", "SYN")
    local client = kang:dnc("-p", 4000, kodos, 8080)
    lab:expect(client):in_state "SYN_SENT"
    lab:expect_packet("kang > kodos", "", { fate = "held" })

    lab:forge {
      to = kodos, from = kang, source_port = 4000, port = 8080, flags = "S", seq = 90,
      faults = false, -- or it would be held too
    }
    lab:expect(kodos):in_state "SYN_RECV"
    local answer = lab:expect_packet("kodos > kang", "SYN ACK")
    lab:check(answer.ack == 91, "the SYN/ACK acknowledges the old SYN", answer.ack)
    local reset = lab:expect_packet("kang > kodos", "RST")
    lab:check(reset.seq == 91, "the RST has the acknowledged number", reset.seq)
    lab:expect(kodos):in_state "CLOSED"
    lab:expect(client):still_in_state "SYN_SENT"

    late:remove()
    lab:expect(kodos):in_state "SYN_RECV"
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()
  end,
}
