-- This scenario sends the segments of probes-to-a-listener.lua to a port where no program listens.
-- Port scans without a handshake rely on the different answers.
return {
  title = "Scan probes to a closed port",
  asks = "What does a closed port answer to an ACK, FIN, SYN/ACK, RST or a segment without flags?",
  source = "RFC 9293 section 3.10.7.1",
  here = "A RST to everything except a RST. Any Linux version.",
  why = "In CLOSED, no segment belongs to a connection. If the segment has an ACK, the RST takes "
    .. "the acknowledged number as its sequence number and acknowledges nothing. Otherwise the "
    .. "RST has sequence number 0 and acknowledges the segment (tcp_v4_send_reset() in "
    .. "net/ipv4/tcp_ipv4.c).",
  tags = { "segments", "scan" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local function probe(flags)
      lab:forge {
        to = kodos, from = kang, source_port = 4000, port = 9, flags = flags, seq = 100, ack = 7,
      }
    end
    -- SYN and FIN each take one sequence number, which the RST acknowledges.
    for _, probing in ipairs {
      { "A", "R 7 0" }, { "SA", "R 7 0" }, { "FA", "R 7 0" },
      { "S", "R. 0 101" }, { "F", "R. 0 101" }, { "FPU", "R. 0 101" }, { "", "R. 0 100" },
    } do
      local flags, wanted = probing[1], probing[2]
      probe(flags)
      local reset = lab:expect_packet("kodos > kang", "RST")
      local seen = reset.flags .. " " .. (reset.seq or 0) .. " " .. (reset.ack or 0)
      lab:check(seen == wanted, flags .. " is answered with " .. wanted, seen)
    end
    for _, flags in ipairs { "R", "RA" } do
      probe(flags)
      lab:never_packet(0.05, "kodos > kang")
    end
  end,
}
