-- A SYN arrives for an existing connection. Either the peer has crashed and connects again from the
-- same port, or an attacker wants to end the connection. Linux answers both in the same way.
return {
  title = "A forged SYN into an established connection",
  asks = "What does a SYN do to an established connection?",
  source = "RFC 5961 section 4.2; RFC 9293 section 3.10.7.4, fourth step",
  here = "Nothing: the connection stays open, whatever the SYN's sequence number is. Linux 3.6 or "
    .. "newer answers the SYN with a challenge ACK.",
  why = "Under RFC 793 a SYN in the window reset the connection, so it was as easy to forge as a "
    .. "RST. Now the peer's answer to the challenge ACK decides. A peer that knows the connection "
    .. "ignores the ACK; one that has forgotten it answers with a RST that has the exact number "
    .. "(tcp_validate_incoming() in net/ipv4/tcp_input.c).",
  tags = { "segments", "syn" },
  quiz = {
    asks = "A SYN arrives for an ESTABLISHED connection, with a sequence number in the window. "
      .. "What happens to the connection?",
    { "It survives; Linux answers the SYN with an ACK", right = true },
    { "It is reset",
      because = "RFC 793 said so, which made resets easy to forge. RFC 5961 changed it." },
    { "A second connection is made",
      because = "Two addresses and two ports identify a connection, and this one already exists." },
    { "It goes back to SYN_RECV for a new handshake",
      because = "Only LISTEN and SYN_SENT lead to SYN_RECV." },
  },

  run = function(lab)
    -- By default a connection sends at most one challenge ACK per 500 ms (ip-sysctl,
    -- tcp_invalid_ratelimit): see challenge-ack-rate-limit.lua.
    local client, server = lab:connected { sysctls = { ["net.ipv4.tcp_invalid_ratelimit"] = 0 } }
    lab:expect(client):call("poll"):is_entered()

    local conn = lab:connection(server)
    for _, away in ipairs { 0, 1000, conn.rcv_wnd + 1000, -1000 } do
      conn:syn { seq = conn.rcv_nxt + away }
      lab:expect_packet("kodos > kang", "ACK only")
    end
    conn:segment { flags = "SA", seq = conn.rcv_nxt }
    lab:expect_packet("kodos > kang", "ACK only")
    lab:expect(server):still_in_state "ESTABLISHED"

    client:type "still here\n"
    lab:expect(server):prints "still here"
  end,
}
