return {
  title = "Packet words",
  asks = "Does each packet word select its segment on a real wire, also in a fault?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_rmem"] = "4096 8192 8192" } }
    local repeated = lab:lose("kang > kodos", "SYN", { count = 1 })
    local client, server = lab:connect(kang, kodos,
      { client = { "--repl" }, server = { "--repl" }, port = 8081 })
    repeated:remove()
    lab:expect_packet("kang > kodos", "SYN", { fate = "lost", seq = 0, length = 0 })
    lab:expect_packet("kang > kodos", "retransmission", { seq = 0 })
    lab:expect_packet("kodos > kang", "SYN ACK", { seq = 0, ack = 1 })
    lab:expect_packet("kang > kodos", "ACK only", { seq = 1, ack = 1, length = 0 })

    client:type "setsockopt TCP_NODELAY on\nwrite .\n"
    lab:expect_packet("kodos > kang", "ACK only", { ack = 2 })
    lab:lose("kang > kodos", "data", { seq = 2, count = 1 })
    client:type "write first\nwrite second\n" -- the second leaves before the RTO of the first
    lab:expect_packet("kang > kodos", "data", { fate = "lost", seq = 2, ack = 1, length = 5 })
    lab:expect_packet("kodos > kang", "duplicate ACK", { ack = 2 })
    lab:expect_packet("kang > kodos", "retransmission", { seq = 2, length = 5 })
    client:type "send urgent oob\n"
    lab:expect_packet("kang > kodos", "URG", { seq = 13, length = 6 })

    client:type "setsockopt TCP_KEEPIDLE 1\nsetsockopt SO_KEEPALIVE on\n"
    lab:expect_packet("kang > kodos", "keepalive probe", { seq = 18, length = 0 })
    client:type "setsockopt SO_KEEPALIVE off\nfill 30000\n"
    lab:expect_packet("kodos > kang", "zero window")
    lab:expect_packet("kang > kodos", "window probe", { length = 0 })
    lab:expect_packet("kodos > kang", "zero window", { window = 0 })
    server:type "read 65536\nread 65536\n" -- the first stops at the urgent byte
    lab:expect_packet("kodos > kang", "window update")

    local refused = kang:dnc(kodos, 9)
    lab:expect(refused):call("connect"):fails "ECONNREFUSED"
    lab:expect_packet("kodos > kang", "RST ACK", { seq = 0, ack = 1 })
    lab:forge { to = kodos, from = kang, source_port = 7, port = 9, flags = "A", ack = 77 }
    local reset = lab:expect_packet("kodos > kang", "RST only")
    if reset.seq ~= 77 then error("the RST has the number " .. reset.seq) end
    lab:icmp { error = "host-unreachable", about = lab:connection(client) }
    lab:expect_packet("kodos > kang", "ICMP error", { fate = "forged" })
    client:type "setsockopt SO_LINGER 0\nclose\n"
    lab:expect_packet("kang > kodos", "RST")
    lab:never_packet(0.05, "* > *", "FIN")
  end,
}
