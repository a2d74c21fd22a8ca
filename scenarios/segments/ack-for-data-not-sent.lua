-- An acknowledgment of what was never sent: from a forger who does not know how far the
-- connection is, or from a peer that has mixed up two lives of it.
return {
  title = "An ACK for data that was not sent",
  asks = "What does a segment do that acknowledges data that was never sent?",
  source = "RFC 9293 section 3.10.7.4, fifth check; RFC 5961 section 5.2",
  here = "It is answered with a challenge ACK and dropped, with the data in it. So is one that "
    .. "acknowledges what is older than the largest window that there ever was. Linux 3.8 or "
    .. "newer.",
  why = "A blind attacker who injects data must guess the acknowledgment, too: tcp_ack() in "
    .. "net/ipv4/tcp_input.c wants it between SND.UNA - MAX.SND.WND and SND.NXT.",
  tags = { "segments", "ack" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_invalid_ratelimit"] = 0 } }
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()

    local conn = lab:connection(client)
    conn:ack { ack = conn.snd_nxt + 1000 }
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    conn:data("too new\n", { ack = conn.snd_nxt + 1 })
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    conn:data("too old\n", { ack = conn.snd_una - 2 ^ 30 })
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    lab:never(client, 0.05):call("read"):returns()

    conn:data("just right\n")
    lab:expect(client):prints "just right"
  end,
}
