-- Two programs listen and neither connects. An old SYN from one port to the other must not create a
-- connection that nobody asked for.
return {
  title = "An old duplicate SYN between two listeners",
  asks = "Can an old SYN connect two listening ports with each other?",
  source = "RFC 9293 section 3.5, Figure 11 (Figure 12 of RFC 793)",
  here = "No. One listener answers the SYN with a SYN/ACK. The other listener answers that with a "
    .. "RST, and the half-open connection is removed. Any Linux version.",
  why = "A listener has sent no SYN, so nothing can be acknowledged (RFC 9293 section 3.10.7.2, "
    .. "second step). Both programs keep listening.",
  tags = { "segments", "syn", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kang:dnc("-l", 8080)
    kodos:dnc("-l", 8080)

    lab:forge { to = kodos, from = kang, source_port = 8080, port = 8080, flags = "S", seq = 90 }
    lab:expect(kodos):in_state "SYN_RECV"
    lab:expect_packet("kodos > kang", "SYN ACK")
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(kodos):in_state "CLOSED"
    for _, host in ipairs { kang, kodos } do
      lab:expect(host):has_no_connection()
      lab:expect(host):listens(8080)
    end
  end,
}
