-- A server with two uplinks: requests come in by one, and its route back is the other. Nothing is
-- wrong with either path, tcpdump on the server shows the SYN, and no program ever hears of it.
return {
  title = "The reverse path filter",
  asks = "Why does a server not answer a SYN that tcpdump shows to arrive?",
  source = "ip-sysctl, rp_filter; RFC 3704 sections 2.2 and 2.4",
  here = "With rp_filter = 1 (strict) the SYN is dropped without a word, and connect(2) fails with "
    .. "ETIMEDOUT. With 2 (loose), and with 0, the connection is made: out by one path, back by "
    .. "the other. IPv6 has no such sysctl. Measured on Linux 6.18; the larger of conf.all and "
    .. "conf.NIC counts.",
  why = "fib_validate_source() in net/ipv4/fib_frontend.c looks up the way back to the source: "
    .. "strict wants it to leave by the NIC that the packet came in by (RFC 3704 section 2.2), "
    .. "loose only that there is one. nstat has TcpExtIPReversePathFilter.",
  tags = { "paths", "router", "asymmetric", "connect" },
  families = { 4 },
  quiz = {
    asks = "A server has two uplinks. A SYN arrives by one, the route back is the other, and "
      .. "rp_filter is 1. What does the client see?",
    { "Nothing: ETIMEDOUT in the end", right = true,
      because = "Strict filtering drops it before TCP, without a word; tcpdump still shows it." },
    { "A connection: out by one path, back by the other",
      because = "So it is with rp_filter 0 and 2." },
    { "ECONNREFUSED", because = "A RST is TCP's answer, and TCP never got the SYN." },
    { "EHOSTUNREACH", because = "That takes an ICMP error. The filter sends none." },
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
    local syn = "tcp[tcpflags] & tcp-syn != 0"
    local function connect()
      local client = net.kang:dnc(net.kodos:address "north", 8080)
      lab:expect_packet("left > kodos", syn)
      return client
    end

    net.kodos:sysctl(filter, 1)
    local unheard = connect()
    local patience = lab:timer("connect_timeout", net.kang)
    lab:never_packet(patience / 2, "kodos > *", "tcp")
    lab:expect(unheard):within(2 * patience):call("connect"):fails "ETIMEDOUT"
    for _, harmless in ipairs { 2, 0 } do
      net.kodos:sysctl(filter, harmless)
      local client = connect()
      lab:expect_packet("kodos > right", syn)
      lab:expect_packet("right > kang", syn)
      lab:expect(client):call("connect"):returns(0)
      lab:expect(client):in_state "ESTABLISHED"
    end
  end,
}
