-- A forged "fragmentation needed" with a tiny MTU could make a sender cut its stream into tiny
-- packets: ten times as many, for ten minutes.
return {
  title = "ICMP fragmentation needed, with a tiny MTU",
  asks = "How small can an ICMP error make the packets of a connection?",
  source = "RFC 1191 section 3; RFC 5927 section 7; ip-sysctl, min_pmtu",
  here = "No smaller than net.ipv4.route.min_pmtu, 552 bytes: Linux raises a smaller MTU to that "
    .. "value. It sends such packets without DF, so that a narrower link can fragment them (Linux "
    .. "4.18 or newer).",
  why = "__ip_rt_update_pmtu() in net/ipv4/route.c applies the limit. An MTU of 68, the minimum of "
    .. "RFC 791, would leave 16 bytes of data in each packet.",
  tags = { "paths", "icmp", "mtu" },
  families = { 4 },

  run = function(lab)
    local client, server = lab:connected()

    lab:lose("kang > kodos", "greater 1000")
    client:type(("x"):rep(3000) .. " is all\n")
    local lost = lab:expect_packet("kang > kodos", "greater 1000", { fate = "lost" })
    lab:expect_packet("kang > kodos", "data", { seq = 2897 })  -- all three have left
    lab:icmp { error = "fragmentation-needed", mtu = 68, about = lost, from = "10.0.0.254" }
    lab:expect(server):prints "is all"
    local headers = 20 + 32  -- of IPv4, and of TCP with timestamps
    local packet = lab:expect_packet("kang > kodos", "greater 500", { fate = "delivered" })
    lab:check(packet.length + headers == 552, "the packet has 552 bytes", packet.length + headers)
  end,
}
