-- Most NICs cut a large TCP segment into packets themselves. A capture on the sender sees the
-- segment before the NIC has cut it. It looks like a jumbo segment, but no such packet is on the
-- cable.
return {
  title = "A capture shows segments longer than the MTU",
  asks = "How can a segment of 4,000 bytes pass a network with an MTU of 1500?",
  source = "Linux, Documentation/networking/segmentation-offloads.rst; Wireshark wiki, "
    .. "CaptureSetup/Offloading; RFC 9293 section 3.7.1",
  here = "The capture shows one segment of 4,000 bytes, and one ACK. The path drops every packet "
    .. "longer than 1500 bytes, yet the segment passes. The sender's own counter, OutSegs, counts "
    .. "three. On the sender, the capture's checksum looks wrong. Measured on Linux 6.18.",
  why = "With TCP segmentation offload, TCP gives the NIC up to 64 kB under one header, and the "
    .. "MSS (tcp_set_skb_tso_segs()). The NIC cuts it into packets and computes their checksums. A "
    .. "capture on the sender comes before that; on the receiver, GRO joins packets before the "
    .. "capture. So a captured segment that is longer than the MTU is not a jumbo frame. To see "
    .. "the packets of the cable, capture on a machine between the two, or turn offload off.",
  tags = { "segments", "mss", "offload" },

  run = function(lab)
    local kang, kodos = lab:pair {
      offload = true,
      -- After a slow handshake the kernel gives the NIC less at once (tcp_tso_autosize()).
      sysctls = { ["net.ipv4.tcp_min_tso_segs"] = "3" },
    }
    local client, server = lab:connect(kang, kodos)
    lab:mtu("kang > kodos", { mtu = 1500, name = "path" })

    local size = 4000 -- a pipe passes it to dnc in one piece
    client:type(("x"):rep(size - 1) .. "\n")
    local large = lab:expect_packet("kang > kodos", "data", { fate = "delivered" })
    lab:check(large.length == size, "the capture shows one segment", large.length)
    lab:check(large.segments == 3, "the NIC cuts it into three", large.segments)
    lab:expect_packet("kodos > kang", "ACK only", { ack = 1 + size })
    lab:expect(server):still_in_state "ESTABLISHED"

    local handshake = 2 -- the SYN and the ACK
    local counters = kang:run("awk", '/^Tcp: [0-9]/ { print "OutSegs", $12 }', "/proc/net/snmp")
    lab:expect(counters):prints(("OutSegs %d\n"):format(handshake + large.segments))
  end,
}
