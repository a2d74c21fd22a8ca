-- A RST is the answer of a host where nobody listens. Somebody who sees the SYN can give it, too;
-- somebody who does not must guess its number.
return {
  title = "RST in SYN_SENT",
  asks = "Which RST ends a connect(2), and with which error?",
  source = "RFC 9293 section 3.10.7.3",
  here = "Only one that acknowledges the SYN: connect fails with ECONNREFUSED. Others are "
    .. "ignored, whatever their sequence number. Any Linux.",
  why = "In SYN_SENT no number of the peer is known, so the acknowledgment must prove that the "
    .. "RST is an answer (tcp_rcv_synsent_state_process() in net/ipv4/tcp_input.c). tcp_reset() "
    .. "makes it ECONNREFUSED in this state alone.",
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
