-- The host is off, and far away. Its router asks its LAN for it (ARP, neighbour discovery), hears
-- nothing, and says so: one ICMP message ends the connect, long before its own timeout.
return {
  title = "Connect to a host that is off, behind a router",
  asks = "What does connect(2) say when the host is off and a router in front of it knows?",
  source = "RFC 1122 section 4.2.3.9; RFC 1812 section 5.2.7.1; RFC 4443 section 3.1; CATALOGUE",
  here = "EHOSTUNREACH, as soon as the router's kernel has given the neighbour up: "
    .. "mcast_solicit x retrans_time, 3 s with the defaults. Measured on Linux 6.18.",
  why = "arp_error_report() and ndisc_error_report() make the router send host (address) "
    .. "unreachable for each packet that waited for the neighbour. In SYN_SENT tcp_v4_err() takes "
    .. "that as hard: the error is the socket's, and the attempt is over.",
  tags = { "paths", "router", "icmp", "connect" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
      neighbours = "learnt",
    }
    net.kodos:power_off()
    local neigh = "net.ipv" .. lab.family .. ".neigh.eth1."
    local asks = tonumber(net.gateway:sysctl(neigh .. "mcast_solicit"))
    local resolving = asks * tonumber(net.gateway:sysctl(neigh .. "retrans_time_ms")) / 1000

    local client = net.kang:dnc(net.kodos, 8080)
    local syn = lab:expect_packet("kang > gateway", "tcp[tcpflags] = tcp-syn")
    local told = lab:expect_packet("gateway > kang",
      lab.family == 4 and "icmp[0] = 3 and icmp[1] = 1" or "icmp6 and ip6[40] = 1 and ip6[41] = 3",
      { within = resolving * 2 + 2 * lab.second })
    lab:expect(client):call("connect"):fails "EHOSTUNREACH"
    lab:expect(client):in_state "CLOSED"
    lab:expect_time(told.t - syn.t, resolving, "the router's search")
  end,
}
