-- Two programs listen, and neither connects. An old SYN from one to the other must not make a
-- connection that nobody asked for.
return {
  title = "An old duplicate SYN between two listeners",
  asks = "Can an old SYN from one listener's port to another's connect the two?",
  source = "RFC 9293 section 3.5, Figure 11 (Figure 12 of RFC 793)",
  here = "No: the SYN-ACK meets a listener, which answers an ACK with RST; the request is "
    .. "dropped. Any Linux.",
  why = "A listener has sent no SYN that could be acknowledged (RFC 9293 section 3.10.7.2, second "
    .. "check). Both go on listening.",
  tags = { "segments", "syn", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kang:dnc("-l", 8080)
    kodos:dnc("-l", 8080)

    lab:forge { to = kodos, from = kang, source_port = 8080, port = 8080, flags = "S", seq = 90 }
    lab:expect(kodos):in_state "SYN_RECV"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-syn != 0")
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(kodos):in_state "CLOSED"
    for _, host in ipairs { kang, kodos } do
      lab:expect(host):has_no_connection()
      lab:expect(host):listens(8080)
    end
  end,
}
