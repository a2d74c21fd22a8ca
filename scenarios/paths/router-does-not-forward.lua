-- Someone reinstalled the router, and one line of its sysctl.conf is missing. It accepts every
-- packet and drops it: a host that does not forward sends no error.
return {
  title = "A router that does not forward",
  asks = "What does connect(2) return if the gateway has ip_forward = 0?",
  source = "ip-sysctl, ip_forward and conf/all/forwarding; RFC 1122 section 3.2.1.3; RFC 4861",
  here = "ETIMEDOUT. There is no ICMP error, unlike with a router that has no route. If "
    .. "forwarding is enabled while connect waits, the next SYN succeeds. Measured on Linux 6.18.",
  why = "RFC 1122: a host MUST silently discard packets that are for another host. ip_error() and "
    .. "ip6_forward() only count them (IpInAddrErrors, Ip6InDiscards).",
  tags = { "paths", "router", "connect", "timeout" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
    }
    local forwarding = lab.family == 4 and "net.ipv4.ip_forward" or "net.ipv6.conf.all.forwarding"
    net.kodos:dnc("-l", 8080)
    net.gateway:sysctl(forwarding, 0)
    local patience = lab:timer("syn_r2", net.kang)
    local client = net.kang:dnc(net.kodos, 8080)
    lab:expect_packet("kang > gateway", "SYN")
    lab:never_packet(patience / 2, "gateway > *", "tcp or icmp or (icmp6 and ip6[40] < 128)")
    lab:expect(client):within(2 * patience):call("connect"):fails "ETIMEDOUT"

    local patient = net.kang:dnc(net.kodos, 8080)
    lab:expect_packet("kang > gateway", "SYN")
    lab:expect(patient):in_state "SYN_SENT"
    net.gateway:sysctl(forwarding, 1)
    lab:expect_packet("gateway > kodos", "SYN")
    lab:expect(patient):call("connect"):returns(0)
  end,
}
