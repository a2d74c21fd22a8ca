-- A connecting socket receives segments that do not answer its SYN: old duplicates or forged ones.
-- The kernel must not take them for the answer; only a segment that acknowledges the SYN counts.
return {
  title = "Invalid segments in SYN_SENT",
  asks = "Which segments affect a connect that waits for its answer?",
  source = "RFC 9293 section 3.10.7.3; section 3.5.2, group 2",
  here = "Apart from SYN and SYN/ACK, only a RST that acknowledges the SYN: connect fails with "
    .. "ECONNREFUSED. An ACK of any other number gets a RST and changes nothing. Other RSTs, FIN "
    .. "and data are ignored. Any Linux version.",
  why = "tcp_rcv_synsent_state_process() sends a RST for an ACK that does not acknowledge the SYN. "
    .. "It ignores every other segment except a SYN/ACK, a RST that acknowledges the SYN, and a "
    .. "SYN.",
  tags = { "connect", "forged", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:cut("* > *", "SYN")
    local client = kang:dnc(kodos, 8080)
    lab:expect_packet("kang > kodos", "tcp", { fate = "lost" })
    lab:expect(client):in_state "SYN_SENT"
    local conn = lab:connection(client)

    conn:ack { ack = conn.snd_nxt + 1000 }
    lab:expect_packet("kang > kodos", "RST only")
    conn:rst { ack = conn.snd_nxt + 1000 }
    conn:segment { flags = "R", seq = 0 }
    conn:segment { flags = "F", seq = 0 }
    conn:segment { flags = "P", seq = 0, data = "hello" }
    conn:segment { flags = "FA", seq = 0 }
    lab:expect(client):still_in_state "SYN_SENT"

    conn:rst { seq = 0 }
    lab:expect(client):call("connect"):fails "ECONNREFUSED"
    lab:expect(client):in_state "CLOSED"
  end,
}
