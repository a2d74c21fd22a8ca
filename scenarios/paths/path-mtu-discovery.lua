-- A link in the middle of the path is narrower than both ends know. The router that cannot forward
-- a packet reports the link's MTU, and the sender cuts its segments to fit.
return {
  title = "A narrow link in the middle of the path",
  asks = "How does TCP learn that its segments are too large for a distant link?",
  source = "RFC 1191; RFC 8201 (path MTU discovery)",
  here = "From the router's ICMP error, which carries the link's MTU. The first full-size segments "
    .. "are lost, and the kernel retransmits their data at once in segments that fit. Measured on "
    .. "Linux 6.18.",
  why = "IPv4 packets have DF set (ip_no_pmtu_disc=0), and routers never fragment IPv6, so the "
    .. "router answers with fragmentation needed or packet too big. tcp_v4_mtu_reduced() and "
    .. "tcp_v6_mtu_reduced() apply the MTU and call tcp_simple_retransmit(). This does not count "
    .. "as a loss: the congestion window stays.",
  tags = { "paths", "router", "icmp", "mtu" },

  run = function(lab)
    local mtu = 1300
    local net = lab:network {
      links = { lan = {}, middle = { mtu = mtu }, wan = {} },
      hosts = {
        kang = { "lan" }, near = { "lan", "middle" }, far = { "middle", "wan" }, kodos = { "wan" },
      },
    }
    local client, server = lab:connect(net.kang, net.kodos)

    local of_size = lab.family == 4 and "tcp and ip[2:2] = %d" or "tcp and ip6[4:2] + 40 = %d"
    client:type(("x"):rep(3000) .. "the end\n")
    local large = lab:expect_packet("kang > near", of_size:format(1500))
    local error_message = lab:expect_packet("near > kang", lab.family == 4
      and ("icmp[0] = 3 and icmp[1] = 4 and icmp[6:2] = " .. mtu)
      or ("icmp6 and ip6[40] = 2 and ip6[44:4] = " .. mtu))
    lab:expect_packet("kang > near", of_size:format(mtu))
    lab:expect(server):prints "the end"
    lab:expect_between(error_message.t - large.t, 0, 0, "the router's answer")
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
