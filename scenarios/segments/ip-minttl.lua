-- A packet that has crossed a router cannot have a hop limit of 255. A socket that accepts only 255
-- (BGP's "TTL security") ignores everything from beyond its own link.
return {
  title = "IP_MINTTL: ignore segments from far away",
  asks = "How can a socket ignore segments from far away, and what do legitimate peers see?",
  source = "RFC 5082; ip(7) and ipv6(7): IP_MINTTL, IPV6_MINHOPCOUNT",
  here = "With IP_MINTTL (IPv6: IPV6_MINHOPCOUNT) set to 255. A peer that also sends 255 connects. "
    .. "A peer with the usual hop limit of 64 gets no answer, and its connect fails with "
    .. "ETIMEDOUT. A forged RST with exact numbers but a hop limit of 64 is ignored. Linux 2.6.34 "
    .. "(IPv6: 2.6.35) or newer.",
  why = "tcp_v4_rcv() and tcp_v6_rcv() drop a packet below the socket's minimum before TCP looks "
    .. "at it, and count TCPMinTTLDrop. A segment from an attacker who is n routers away arrives "
    .. "with a hop limit of at most 255 - n.",
  tags = { "segments", "reset", "connect", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local minimum_option = lab.family == 4 and "IP_MINTTL" or "IPV6_MINHOPCOUNT"
    local hop_option = lab.family == 4 and "IP_TTL" or "IPV6_UNICAST_HOPS"
    local server = kodos:dnc("--repl")
    server:type(("socket\nsetsockopt %s 255\n"):format(minimum_option))
    server:type "bind 8080\nlisten\naccept\n"
    lab:expect(server):call("accept"):is_entered()
    local function connect(hop_limit)
      local client = kang:dnc("--repl")
      client:type(("socket\nsetsockopt %s %d\n"):format(hop_option, hop_limit))
      client:type "connect kodos 8080\n"
      return client
    end

    local near = connect(255)
    lab:expect(near):call("connect"):returns(0)
    server:type(("setsockopt %s 255\n"):format(hop_option)) -- for the accepted connection, too
    lab:expect(server):call("setsockopt", hop_option):returns(0)
    local conn = lab:connection(server)
    conn:rst()
    lab:never(server, 0.2):in_state "CLOSED"
    near:type "write hello\n"
    server:type "read\n"
    lab:expect(server):call("read"):returns(5)

    local patience = lab:timer("syn_r2", kang)
    local far = connect(64)
    local call = lab:expect(far):within(2 * patience):call("connect"):fails "ETIMEDOUT"
    lab:expect_time(call.t - call.entered, patience, "giving up")
  end,
}
