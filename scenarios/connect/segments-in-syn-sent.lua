-- A socket that is connecting is open to whatever the network brings, and only one answer is the
-- right one: what acknowledges its SYN. The kernel must tell it from segments of the past, and from
-- those that somebody made up.
return {
  title = "Wrong segments in SYN_SENT",
  asks = "Which segments disturb a connect that waits for its answer?",
  source = "RFC 9293 section 3.10.7.3; section 3.5.2, group 2",
  here = "An ACK of something else is answered with RST. A RST that acknowledges something else, a "
    .. "RST without ACK, a FIN and data are ignored. A RST that acknowledges the SYN is a refusal: "
    .. "ECONNREFUSED. Any Linux.",
  why = "tcp_rcv_synsent_state_process() takes nothing for an answer that does not acknowledge the "
    .. "SYN, and of the rest nothing that is not a SYN or a RST.",
  tags = { "connect", "forged", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:cut("* > *", "tcp[tcpflags] == tcp-syn")
    local client = kang:dnc(kodos, 8080)
    lab:expect_packet("kang > kodos", "tcp", { fate = "lost" })
    lab:expect(client):in_state "SYN_SENT"
    local conn = lab:connection(client)

    conn:ack { ack = conn.snd_nxt + 1000 }
    lab:expect_packet("kang > kodos", "tcp[tcpflags] == tcp-rst")
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
