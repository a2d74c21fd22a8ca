-- Until RFC 5961 a RST anywhere in the window ended a connection: an attacker had to try only one
-- number in each window's length. Now it must be exact; a near miss is asked about.
return {
  title = "A forged RST in the window, but not exact",
  asks = "What does a RST do whose sequence number is in the window, but not the next one?",
  source = "RFC 5961 section 3.2, RFC 9293 section 3.10.7.4",
  here = "Nothing happens to the connection. It is answered with a challenge ACK, so that the "
    .. "peer, if it did reset, can say so again with the number in it. Linux 3.6 or newer.",
  why = "tcp_validate_incoming() in net/ipv4/tcp_input.c resets only where SEG.SEQ is RCV.NXT (or "
    .. "the end of a block that was received beyond a hole), and else calls "
    .. "tcp_send_challenge_ack(). A peer that is really gone answers that with an exact RST.",
  tags = { "segments", "reset" },
  quiz = {
    asks = "A RST arrives whose sequence number is in the window, but is not the one that is "
      .. "expected next. What becomes of the connection?",
    { "It lives; the RST is answered with an ACK", right = true,
      because = "RFC 5961: whoever guesses needs the exact number now." },
    { "It is reset",
      because = "So it was until RFC 5961 (2010). Now only the exact number resets." },
    { "It lives; the RST is ignored without a word",
      because = "That is for one outside of the window. Here the peer may really be gone, so "
        .. "it is asked." },
    { "It is reset, if the address and ports are right",
      because = "Then anybody who knows four numbers could end it." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()

    local conn = lab:connection(client)
    conn:rst { seq = conn.rcv_nxt + 100 }
    local challenge = lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    lab:expect(client):still_in_state "ESTABLISHED"

    client:type "still here\n"
    lab:expect(server):prints "still here"
    local first = lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-push != 0")
    if first.seq ~= challenge.seq then error "the challenge has not SND.NXT as its number" end

    -- The last number of the window is no more exact than any other.
    conn = lab:connection(server)
    conn:rst { seq = conn.rcv_nxt + conn.rcv_wnd - 1 }
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
