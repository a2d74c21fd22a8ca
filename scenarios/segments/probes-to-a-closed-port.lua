-- The same segments as in probes-to-a-listener.lua, to a port where nobody listens. The difference
-- between the two is what port scans without a handshake live on.
return {
  title = "Segments of no connection, to a closed port",
  asks = "What does a host answer to an ACK, FIN, SYN-ACK, RST, or a segment without flags, where "
    .. "nobody listens?",
  source = "RFC 9293 section 3.10.7.1",
  here = "RST to everything but a RST. Any Linux.",
  why = "In CLOSED whatever comes is of a connection that is not there. With an ACK the RST has "
    .. "the acknowledged number, and no ACK; else the number 0, and acknowledges what came "
    .. "(tcp_v4_send_reset() in net/ipv4/tcp_ipv4.c).",
  tags = { "segments", "scan" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local function probe(flags)
      lab:forge {
        to = kodos, from = kang, source_port = 4000, port = 9, flags = flags, seq = 100, ack = 7,
      }
    end
    -- What takes room in sequence space is acknowledged: SYN and FIN count as one each.
    for _, probing in ipairs {
      { "A", "R 7 0" }, { "SA", "R 7 0" }, { "FA", "R 7 0" },
      { "S", "R. 0 101" }, { "F", "R. 0 101" }, { "FPU", "R. 0 101" }, { "", "R. 0 100" },
    } do
      local flags, wanted = probing[1], probing[2]
      probe(flags)
      local reset = lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
      local seen = reset.flags .. " " .. (reset.seq or 0) .. " " .. (reset.ack or 0)
      if seen ~= wanted then error(flags .. " is answered with " .. seen .. ", not " .. wanted) end
    end
    for _, flags in ipairs { "R", "RA" } do
      probe(flags)
      lab:never_packet(0.05, "kodos > kang")
    end
  end,
}
