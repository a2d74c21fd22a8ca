-- A server's half-open connection is protected by two numbers: the next sequence number that it
-- expects, and its own, which the client must acknowledge. Without them nobody should be able to
-- complete or end it.
return {
  title = "Invalid segments in SYN_RECV",
  asks = "Which segments affect a server's half-open connection?",
  source = "RFC 9293 section 3.10.7.4 (SYN-RECEIVED); RFC 5961 sections 3 and 4; RFC 4987",
  here = "These leave it in SYN_RECV: an ACK that does not acknowledge the SYN/ACK gets a RST; a "
    .. "RST outside the window is ignored, inside the window it gets a challenge ACK; data or FIN "
    .. "without ACK is ignored; the same SYN gets the SYN/ACK again. These end it: a RST at "
    .. "RCV.NXT; another SYN in the window, which gets a RST. Measured on Linux 6.18.",
  why = "At this point a request_sock is all that exists of the connection, and tcp_check_req() "
    .. "checks each segment for it. An ACK of a number never sent is passed to the listener, which "
    .. "answers any ACK with a RST (RFC 9293 section 3.10.7.2).",
  tags = { "connect", "forged", "half-open", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_timestamps"] = 0, -- keeps timestamp checks out of this scenario
      ["net.ipv4.tcp_invalid_ratelimit"] = 0,
    } }
    kodos:dnc("-k", "-l", 8080)
    lab:cut("kang > kodos", "tcp[tcpflags] == tcp-ack")
    local function half_open()
      lab:expect(kang:dnc(kodos, 8080)):in_state "ESTABLISHED"
      lab:expect(kodos):in_state "SYN_RECV"
      return lab:connection(kodos)
    end

    local conn = half_open()
    conn:ack { ack = conn.snd_nxt + 1000 }
    lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-rst")
    conn:syn { seq = 0 }
    lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-syn|tcp-ack")
    conn:segment { flags = "R", seq = conn.rcv_nxt + conn.rcv_wnd }
    conn:segment { flags = "F" }
    conn:segment { flags = "P", data = "hello" }
    conn:segment { flags = "R", seq = conn.rcv_nxt + 10 }
    lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-ack")
    lab:expect(kodos):still_in_state "SYN_RECV"
    conn:segment { flags = "R", seq = conn.rcv_nxt }
    lab:expect(kodos):in_state "CLOSED"

    conn = half_open()
    conn:syn { seq = conn.rcv_nxt + 10 }
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(kodos):in_state "CLOSED"
  end,
}
