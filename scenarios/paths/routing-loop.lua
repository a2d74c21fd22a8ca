-- Two routers each believe that the other is nearer to the destination. The packet goes back and
-- forth until its hop limit runs out, and the last router reports that.
return {
  title = "A routing loop",
  asks = "What does connect(2) return if the SYN is caught in a routing loop?",
  source = "RFC 1812 section 5.3.1; RFC 4443 section 3.3; RFC 1122 section 4.2.3.9",
  here = "EHOSTUNREACH at once, after one SYN has crossed the same link about sixty times. "
    .. "Measured on Linux 6.18.",
  why = "Each router decrements the hop limit. The router where it runs out answers with time "
    .. "exceeded, which tcp_v4_err() and icmpv6_err_convert() turn into EHOSTUNREACH. In SYN_SENT "
    .. "that ends the attempt.",
  tags = { "paths", "router", "icmp", "connect" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, middle = {}, wan = {} },
      hosts = {
        kang = { "lan" }, near = { "lan", "middle" }, far = { "middle", "wan" }, kodos = { "wan" },
      },
    }
    net.far:route(net.kodos, net.near)
    local client = net.kang:dnc(net.kodos, 8080)
    local hop_limit = lab.family == 4 and "tcp and ip[8] = %d" or "tcp and ip6[7] = %d"
    lab:expect_packet("near > far", hop_limit:format(63))
    lab:expect_packet("far > near", hop_limit:format(62))
    lab:expect_packet("near > far", hop_limit:format(1))
    lab:expect_packet("near > kang",
      lab.family == 4 and "icmp[0] = 11 and icmp[1] = 0" or "icmp6 and ip6[40] = 3")
    lab:expect(client):call("connect"):fails "EHOSTUNREACH"
    lab:expect(client):in_state "CLOSED"
  end,
}
