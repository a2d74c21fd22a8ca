-- A half-open connection of a server is guarded by two numbers: the one that it expects next, and
-- the one that must be acknowledged. Who knows neither can neither complete it nor end it.
return {
  title = "Wrong segments in SYN_RECV",
  asks = "Which segments disturb a server's half-open connection?",
  source = "RFC 9293 section 3.10.7.4 (SYN-RECEIVED); RFC 5961 sections 3 and 4; RFC 4987",
  here = "An ACK of something else: RST, and it stays. A RST outside the window is ignored, one "
    .. "inside is answered with a challenge ACK; data and FIN without ACK are ignored; the same "
    .. "SYN brings the SYN,ACK again. A RST with the very number ends it, and so does another SYN "
    .. "in the window, with a RST. Linux 6.18.",
  why = "tcp_check_req() judges each segment for a request_sock, which is all that there is of the "
    .. "connection yet. An ACK of something never sent falls through to the listener, which resets "
    .. "whatever has an ACK (RFC 9293 section 3.10.7.2).",
  tags = { "connect", "forged", "half-open", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_timestamps"] = 0, -- what they forbid is another scenario
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
