-- A server has two uplinks: requests arrive on one, and its route back uses the other. Both paths
-- work and tcpdump on the server shows the SYN, but no program sees the connection.
return {
  title = "The reverse path filter",
  asks = "Why does a server not answer a SYN that tcpdump shows?",
  source = "ip-sysctl, rp_filter; RFC 3704 sections 2.2 and 2.4",
  here = "Because its reverse path filter drops the SYN. With rp_filter = 1 (strict) Linux does so "
    .. "silently, and connect(2) fails with ETIMEDOUT. With 2 (loose) or 0 the connection is "
    .. "established, out on one path and back on the other. The larger value of conf.all and "
    .. "conf.NIC applies. IPv6 has no such sysctl. Measured on Linux 6.18.",
  why = "fib_validate_source() in net/ipv4/fib_frontend.c looks up the route back to the source. "
    .. "Strict mode requires that this route uses the NIC on which the packet arrived (RFC 3704 "
    .. "section 2.2). Loose mode only requires a route. nstat counts drops as "
    .. "TcpExtIPReversePathFilter.",
  tags = { "paths", "router", "asymmetric", "connect" },
  families = { 4 },
  quiz = {
    asks = "A server has two uplinks. A SYN arrives on one, the route back uses the other, and "
      .. "rp_filter is 1. What does the client see?",
    { "Nothing: ETIMEDOUT in the end", right = true,
      because = "The filter silently drops the SYN before TCP; tcpdump still shows it." },
    { "A connection: out on one path, back on the other",
      because = "That happens with rp_filter 0 and 2." },
    { "ECONNREFUSED", because = "A RST is TCP's answer, and TCP never got the SYN." },
    { "EHOSTUNREACH", because = "That needs an ICMP error. The filter sends none." },
  },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, north = {}, south = {} },
      hosts = {
        kang = { "lan" }, left = { "lan", "north" }, right = { "lan", "south" },
        kodos = { "north", "south" },
      },
    }
    local filter = "net.ipv4.conf.all.rp_filter"
    net.kodos:route(net.kang, net.right:address "south")
    net.kodos:dnc("-k", "-l", 8080)
    local function connect()
      local client = net.kang:dnc(net.kodos:address "north", 8080)
      lab:expect_packet("left > kodos", "SYN")
      return client
    end

    net.kodos:sysctl(filter, 1)
    local unanswered = connect()
    local patience = lab:timer("syn_r2", net.kang)
    lab:never_packet(patience / 2, "kodos > *", "tcp")
    lab:expect(unanswered):within(2 * patience):call("connect"):fails "ETIMEDOUT"
    for _, harmless in ipairs { 2, 0 } do
      net.kodos:sysctl(filter, harmless)
      local client = connect()
      lab:expect_packet("kodos > right", "SYN ACK")
      lab:expect_packet("right > kang", "SYN ACK")
      lab:expect(client):call("connect"):returns(0)
      lab:expect(client):in_state "ESTABLISHED"
    end
  end,
}
