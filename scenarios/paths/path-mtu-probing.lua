-- A path MTU black hole, as in path-mtu-black-hole.lua. With tcp_mtu_probing the kernel escapes it
-- without any ICMP error: after some retransmissions it tries smaller segments.
return {
  title = "tcp_mtu_probing escapes a path MTU black hole",
  asks = "Can TCP escape a path MTU black hole if all ICMP is filtered?",
  source = "RFC 4821; ip-sysctl, tcp_mtu_probing, tcp_base_mss",
  here = "Yes, with tcp_mtu_probing=1: after tcp_retries1 retransmissions the kernel sends "
    .. "segments of tcp_base_mss, and these arrive. Measured on Linux 6.18.",
  why = "After tcp_retries1 retransmissions without an ACK, tcp_write_timeout() calls "
    .. "tcp_mtu_probing(), which sets the segment size to tcp_base_mss and halves it on each "
    .. "later call.",
  tags = { "paths", "router", "icmp", "mtu", "firewall" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, middle = { mtu = 1300 }, wan = {} },
      hosts = {
        kang = { "lan" }, near = { "lan", "middle" }, far = { "middle", "wan" }, kodos = { "wan" },
      },
    }
    net.near:nft [[
      table inet filter {
        chain out { type filter hook output priority filter; meta l4proto { icmp, icmpv6 } drop; }
      }
    ]]
    net.kang:sysctl("net.ipv4.tcp_mtu_probing", 1)
    if lab.timers == "fast" then
      net.kang:sysctl("net.ipv4.tcp_retries1", 1)  -- less than tcp_retries2, which is 2
    end
    local client, server = lab:connect(net.kang, net.kodos)

    client:type(("x"):rep(1600) .. "the end\n")
    lab:expect(client):call("write"):returns(1608)
    lab:expect_packet("kang > near", lab.family == 4 and "ip[2:2] = 1500" or "ip6[4:2] = 1460")
    lab:expect_packet("far > kodos", "tcp[tcpflags] & tcp-ack != 0 and greater 1000",
      { within = 30 * lab.second })
    lab:expect(server):prints "the end"
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
