-- A SYN for a connection that exists: from a peer that has crashed and connects anew with the same
-- port, or from somebody who wants the connection gone. Both get the same question in return.
return {
  title = "A forged SYN into an established connection",
  asks = "What does a SYN do to a connection that is established?",
  source = "RFC 5961 section 4.2, RFC 9293 section 3.10.7.4, fourth check",
  here = "Nothing happens to the connection, wherever the SYN's number lies. It is answered with "
    .. "a challenge ACK. Linux 3.6 or newer.",
  why = "RFC 793 had the connection reset by a SYN in the window, which made resets as easy to "
    .. "forge as RSTs. Now the challenge ACK decides: a peer that knows the connection ignores "
    .. "it; one that has forgotten it answers with a RST that has the exact number "
    .. "(tcp_validate_incoming() in net/ipv4/tcp_input.c).",
  tags = { "segments", "syn" },
  quiz = {
    asks = "A SYN arrives for a connection that is ESTABLISHED, its number in the window. "
      .. "What becomes of the connection?",
    { "It lives; the SYN is answered with an ACK", right = true },
    { "It is reset",
      because = "RFC 793 had it so, which made forged resets easy. RFC 5961 changed it." },
    { "A second connection is made",
      because = "Four numbers are one connection, and that one is there." },
    { "It goes back to SYN_RECV, and shakes hands anew",
      because = "Only LISTEN and SYN_SENT lead to SYN_RECV." },
  },

  run = function(lab)
    -- A challenge ACK each 500 ms is all that a connection gets else: ip-sysctl,
    -- tcp_invalid_ratelimit; challenge-ack-rate-limit.lua is about that.
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_invalid_ratelimit"] = 0 } }
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()

    local conn = lab:connection(server)
    for _, away in ipairs { 0, 1000, conn.rcv_wnd + 1000, -1000 } do
      conn:syn { seq = conn.rcv_nxt + away }
      lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
    end
    conn:segment { flags = "SA", seq = conn.rcv_nxt }
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
    lab:expect(server):still_in_state "ESTABLISHED"

    client:type "still here\n"
    lab:expect(server):prints "still here"
  end,
}
