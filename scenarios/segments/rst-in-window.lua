-- Before RFC 5961, a RST anywhere in the window ended a connection, so an attacker needed only one
-- guess per window length. Now the sequence number must be exact. Linux answers a near miss with a
-- challenge ACK.
return {
  title = "A forged RST in the window, but not exact",
  asks = "What does a RST do if its sequence number is in the window but not the expected one?",
  source = "RFC 5961 section 3.2; RFC 9293 section 3.10.7.4",
  here = "The connection stays open. Linux answers with a challenge ACK, so that a peer that "
    .. "really did reset can send another RST with the right number. Linux 3.6 or newer.",
  why = "tcp_validate_incoming() in net/ipv4/tcp_input.c resets only if SEG.SEQ is RCV.NXT (or "
    .. "the end of the last SACK block). Otherwise it calls tcp_send_challenge_ack(). A peer that "
    .. "is really gone answers the challenge ACK with an exact RST.",
  tags = { "segments", "reset" },
  quiz = {
    asks = "A RST arrives whose sequence number is in the window, but is not the one expected "
      .. "next. What happens to the connection?",
    { "It survives; Linux answers the RST with an ACK", right = true,
      because = "RFC 5961: an attacker now needs the exact number." },
    { "It is reset",
      because = "That was true before RFC 5961 (2010). Now only the exact number resets." },
    { "It survives; Linux ignores the RST",
      because = "That happens to a RST outside the window. Here the peer may really be gone, so "
        .. "Linux asks." },
    { "It is reset, if the addresses and ports are right",
      because = "Then anyone who knows the two addresses and ports could end it." },
  },

  run = function(lab)
    local client, server = lab:connected()
    lab:expect(client):call("poll"):is_entered()

    local conn = lab:connection(client)
    conn:rst { seq = conn.rcv_nxt + 100 }
    local challenge = lab:expect_packet("kang > kodos", "ACK only")
    lab:expect(client):still_in_state "ESTABLISHED"

    client:type "still here\n"
    lab:expect(server):prints "still here"
    local first = lab:expect_packet("kang > kodos", "data")
    lab:check(first.seq == challenge.seq, "the challenge ACK's number is SND.NXT")

    -- The last number of the window is not exact either.
    conn = lab:connection(server)
    conn:rst { seq = conn.rcv_nxt + conn.rcv_wnd - 1 }
    lab:expect_packet("kodos > kang", "ACK only")
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
