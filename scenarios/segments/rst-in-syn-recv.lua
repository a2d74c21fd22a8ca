-- The listener has answered the SYN, and receives a RST instead of the ACK. No program knows of the
-- connection yet.
return {
  title = "RST in SYN_RECV",
  asks = "What happens to a connection that is reset before the handshake is complete?",
  source = "RFC 9293 section 3.10.7.4, second step; RFC 5961 section 3",
  here = "A RST with the exact sequence number removes the connection, and accept(2) keeps "
    .. "waiting. A RST that is only in the window is answered with a challenge ACK; one outside "
    .. "the window is ignored. Measured on Linux 6.18. Linux 4.15 and 6.1 remove the connection "
    .. "for any RST in the window.",
  why = "RFC 9293 returns a passive open to LISTEN without informing the user. In Linux the "
    .. "half-open connection is a request of the listener, which tcp_check_req() in "
    .. "net/ipv4/tcp_minisocks.c drops. The client's retransmitted SYN starts a new handshake.",
  tags = { "segments", "reset", "connect" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    lab:cut("kodos > kang", "tcp")
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(kodos):in_state "SYN_RECV"
    lab:expect_packet("kodos > kang", "tcp", { fate = "lost" })
    local conn = lab:connection(kodos)

    conn:rst { seq = conn.rcv_nxt + conn.rcv_wnd + 1 }
    conn:rst { seq = conn.rcv_nxt - 1 }
    lab:expect(kodos):still_in_state "SYN_RECV"

    conn:rst { seq = conn.rcv_nxt + 10 }
    lab:expect_packet("kodos > kang", "ACK only", { fate = "lost", since = "6.15" })
    lab:expect(kodos):since("6.15"):still_in_state "SYN_RECV"

    conn:rst()
    lab:expect(kodos):in_state "CLOSED"
    lab:expect(client):still_in_state "SYN_SENT"
    lab:never(server, 0.05):call("accept"):returns()
    lab:expect(kodos):listens(8080)
  end,
}
