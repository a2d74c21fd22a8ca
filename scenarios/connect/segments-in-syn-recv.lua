-- A server's half-open connection is protected by two numbers: the next sequence number that it
-- expects, and its own, which the client must acknowledge. Without them nobody should be able to
-- complete or end it.
return {
  title = "Invalid segments in SYN_RECV",
  asks = "Which segments affect a server's half-open connection?",
  source = "RFC 9293 section 3.10.7.4 (SYN-RECEIVED); RFC 5961 sections 3 and 4; RFC 4987",
  here = "Two invalid segments end it: a RST at RCV.NXT, and a second SYN in the window, which "
    .. "gets a RST. The others leave it in SYN_RECV. A wrong ACK number is answered with a RST, a "
    .. "RST in the window with a challenge ACK, and the same SYN with another SYN/ACK. Linux "
    .. "ignores a RST outside the window, and data or FIN without ACK. Measured on Linux 6.18. "
    .. "On Linux 6.1 any RST in the window ends it.",
  why = "In SYN_RECV the connection is only a request_sock, and tcp_check_req() checks each "
    .. "segment for it. An ACK of a number that was never sent is passed to the listener, which "
    .. "answers any ACK with a RST (RFC 9293 section 3.10.7.2).",
  tags = { "connect", "forged", "half-open", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_timestamps"] = 0, -- keeps timestamp checks out of this scenario
      ["net.ipv4.tcp_invalid_ratelimit"] = 0,
    } }
    kodos:dnc("-k", "-l", 8080)
    lab:cut("kang > kodos", "ACK only")
    local function half_open()
      lab:expect(kang:dnc(kodos, 8080)):in_state "ESTABLISHED"
      lab:expect(kodos):in_state "SYN_RECV"
      return lab:connection(kodos)
    end

    local conn = half_open()
    conn:ack { ack = conn.snd_nxt + 1000, faults = false }
    lab:expect_packet("kodos > kang", "RST only")
    conn:syn { seq = 0 }
    lab:expect_packet("kodos > kang", "SYN ACK")
    conn:segment { flags = "R", seq = conn.rcv_nxt + conn.rcv_wnd }
    conn:segment { flags = "F" }
    conn:segment { flags = "P", data = "hello" }
    conn:segment { flags = "R", seq = conn.rcv_nxt + 10 }
    lab:expect_packet("kodos > kang", "ACK only", { since = "6.15" })
    lab:expect(kodos):since("6.15"):still_in_state "SYN_RECV"
    conn:segment { flags = "R", seq = conn.rcv_nxt }
    lab:expect(kodos):in_state "CLOSED"

    conn = half_open()
    conn:syn { seq = conn.rcv_nxt + 10 }
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(kodos):in_state "CLOSED"
  end,
}
