-- An ACK acknowledges data that was never sent. Its sender is an attacker who does not know the
-- current sequence numbers, or a peer that mixes up two connections with the same ports.
return {
  title = "An ACK for data that was not sent",
  asks = "What happens to a segment that acknowledges data that was never sent?",
  source = "RFC 9293 section 3.10.7.4, fifth step; RFC 5961 section 5.2",
  here = "Linux drops the segment, including its data, and answers with a challenge ACK. It does "
    .. "the same if the ACK number is older than SND.UNA minus the largest window that the peer "
    .. "has advertised. Linux 3.8 or newer. Linux 6.1 drops the first kind without an answer.",
  why = "An attacker who injects data blindly must also guess the ACK number: tcp_ack() in "
    .. "net/ipv4/tcp_input.c accepts only SND.UNA - MAX.SND.WND to SND.NXT.",
  tags = { "segments", "ack" },

  run = function(lab)
    local client = lab:connected { sysctls = { ["net.ipv4.tcp_invalid_ratelimit"] = 0 } }
    lab:expect(client):call("poll"):is_entered()

    local conn = lab:connection(client)
    conn:ack { ack = conn.snd_nxt + 1000 }
    lab:expect_packet("kang > kodos", "ACK only", { since = "6.18" })
    conn:data("too new\n", { ack = conn.snd_nxt + 1 })
    lab:expect_packet("kang > kodos", "ACK only", { since = "6.18" })
    conn:data("too old\n", { ack = conn.snd_una - 2 ^ 30 })
    lab:expect_packet("kang > kodos", "ACK only")
    lab:never(client, 0.05):call("read"):returns()

    conn:data("just right\n")
    lab:expect(client):prints "just right"
  end,
}
