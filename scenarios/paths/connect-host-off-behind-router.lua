-- The host is off and behind a router. The router asks its LAN for the host (ARP, neighbour
-- discovery) and gets no answer. It sends an ICMP error, which ends the connect long before its own
-- timeout.
return {
  title = "Connect to a host that is off, behind a router",
  asks = "What does connect(2) return if the host is off and its router reports that?",
  source = "RFC 1122 section 4.2.3.9; RFC 1812 section 5.2.7.1; RFC 4443 section 3.1; arp(7)",
  here = "EHOSTUNREACH, as soon as the router's kernel gives up on the neighbour: after "
    .. "mcast_solicit x retrans_time, 3 s by default. Measured on Linux 6.18.",
  why = "arp_error_report() and ndisc_error_report() make the router send a host (address) "
    .. "unreachable error for each packet that waited for the neighbour. In SYN_SENT tcp_v4_err() "
    .. "treats this as a hard error: it sets the socket's error and ends the attempt.",
  tags = { "paths", "router", "icmp", "connect" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
      neighbours = "dynamic",
    }
    net.kodos:power_off()
    local neigh = "net.ipv" .. lab.family .. ".neigh.eth1."
    local requests = tonumber(net.gateway:sysctl(neigh .. "mcast_solicit"))
    local resolving = requests * tonumber(net.gateway:sysctl(neigh .. "retrans_time_ms")) / 1000

    local client = net.kang:dnc(net.kodos, 8080)
    local syn = lab:expect_packet("kang > gateway", "SYN")
    local unreachable = lab:expect_packet("gateway > kang",
      lab.family == 4 and "icmp[0] = 3 and icmp[1] = 1" or "icmp6 and ip6[40] = 1 and ip6[41] = 3",
      { within = resolving * 2 + 2 * lab.second })
    lab:expect(client):call("connect"):fails "EHOSTUNREACH"
    lab:expect(client):in_state "CLOSED"
    lab:expect_time(unreachable.t - syn.t, resolving, "the router's neighbour resolution")
  end,
}
