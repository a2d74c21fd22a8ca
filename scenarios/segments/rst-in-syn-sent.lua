-- A host where no program listens on the port answers a SYN with a RST. An attacker who sees the
-- SYN can forge that RST. One who does not see it must guess the ACK number.
return {
  title = "RST in SYN_SENT",
  asks = "Which RST ends a connect(2), and with which error?",
  source = "RFC 9293 section 3.10.7.3",
  here = "Only a RST that acknowledges the SYN: connect fails with ECONNREFUSED. Other RSTs are "
    .. "ignored, whatever their sequence number. Any Linux version.",
  why = "In SYN_SENT the host does not know the peer's sequence numbers yet, so the ACK number "
    .. "must prove that the RST is an answer (tcp_rcv_synsent_state_process() in "
    .. "net/ipv4/tcp_input.c). tcp_reset() sets ECONNREFUSED in this state only.",
  tags = { "segments", "reset", "connect" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:cut("kang > kodos", "tcp")
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "SYN_SENT"
    local conn = lab:connection(client)

    conn:segment { flags = "R", seq = 0 }
    conn:rst { ack = conn.snd_nxt + 1 }
    conn:rst { ack = conn.snd_nxt - 1 }
    lab:never(client, 0.05):call("connect"):returns()
    lab:expect(client):still_in_state "SYN_SENT"

    conn:rst()
    lab:expect(client):call("connect"):fails "ECONNREFUSED"
    lab:expect(client):in_state "CLOSED"
  end,
}
