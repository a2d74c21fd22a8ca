-- A packet's hop limit is too small for its path. The router that drops the packet reports that to
-- the packet's sender. That may be the server, while the client waits.
return {
  title = "A hop limit that is too small",
  asks = "What happens if a packet's hop limit is too small for its path?",
  source = "ip-sysctl, ip_default_ttl, hop_limit; RFC 1122 section 3.2.2.4; RFC 4443 section 3.3",
  here = "If the client's hop limit is too small, a router reports time exceeded, and connect(2) "
    .. "fails at once with EHOSTUNREACH. If the server's is too small, a router drops its SYN/ACK "
    .. "and reports that to the server. The client gets no answer, and its connect fails with "
    .. "ETIMEDOUT. On IPv4 the server removes the half-open connection; on IPv6 it stays in "
    .. "SYN_RECV. Measured on Linux 6.18.",
  why = "ip_default_ttl (IPv6: the NIC's hop_limit) is the hop limit of every packet, and each "
    .. "router decrements it. In SYN_SENT such an ICMP error ends the attempt. For a half-open "
    .. "connection, tcp_v4_err() calls tcp_req_err(), which silently removes it. On IPv6, "
    .. "icmpv6_err_convert() classifies the error as not fatal, so the half-open connection stays.",
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
    local patience = lab:timer("syn_r2", net.kang)
    local connect = lab:expect(second):within(2 * patience):call("connect"):fails "ETIMEDOUT"
    lab:expect_time(connect.t - connect.entered, patience, "giving up")
  end,
}
