-- A packet that may pass fewer routers than there are. Which end has set it too low decides who is
-- told: it is always the sender of the packet, and that need not be the one that waits.
return {
  title = "A hop limit that is too small",
  asks = "What happens when packets may pass fewer routers than there are?",
  source = "ip-sysctl, ip_default_ttl, hop_limit; RFC 1122 section 3.2.2.4; RFC 4443 section 3.3",
  here = "The client's own: connect(2) fails with EHOSTUNREACH at once, for a router says time "
    .. "exceeded. The server's: its SYN,ACK dies on the way and the router tells the server; the "
    .. "client gets nothing at all, and ETIMEDOUT. With IPv4 the server forgets the request, with "
    .. "IPv6 it stays in SYN_RECV. Measured on Linux 6.18.",
  why = "ip_default_ttl (IPv6: the NIC's hop_limit) goes into every packet, each router takes one "
    .. "from it. An attempt in SYN_SENT ends with such an ICMP error; of a request tcp_v4_err() "
    .. "has tcp_req_err() let go, silently, and icmpv6_err_convert() does not call it fatal.",
  tags = { "paths", "router", "icmp", "connect" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, middle = {}, wan = {} },
      hosts = {
        kang = { "lan" }, near = { "lan", "middle" }, far = { "middle", "wan" }, kodos = { "wan" },
      },
    }
    local routers = 2
    local hops = lab.family == 4 and "net.ipv4.ip_default_ttl" or "net.ipv6.conf.eth0.hop_limit"
    local exceeded = lab.family == 4 and "icmp[0] = 11" or "icmp6 and ip6[40] = 3"
    net.kodos:dnc("-k", "-l", 8080)

    net.kang:sysctl(hops, routers)
    local client = net.kang:dnc(net.kodos, 8080)
    lab:expect_packet("near > kang", exceeded)
    lab:expect(client):call("connect"):fails "EHOSTUNREACH"

    net.kang:sysctl(hops, routers + 1)
    net.kodos:sysctl(hops, routers)
    local second = net.kang:dnc(net.kodos, 8080)
    lab:expect(net.kodos):in_state "SYN_RECV"
    lab:expect_packet("far > kodos", exceeded)
    if lab.family == 4 then
      lab:expect(net.kodos):in_state "CLOSED"
    else
      lab:never(net.kodos, 0.2):in_state "CLOSED"
    end
    local patience = lab:timer("connect_timeout", net.kang)
    local connect = lab:expect(second):within(2 * patience):call("connect"):fails "ETIMEDOUT"
    lab:expect_time(connect.t - connect.entered, patience, "giving up")
  end,
}
