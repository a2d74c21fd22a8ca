-- A packet that has crossed a router cannot have a hop limit of 255. Whoever accepts nothing else
-- (BGP's "TTL security") is deaf to all that comes from farther than the next host.
return {
  title = "IP_MINTTL",
  asks = "How does a socket keep out segments from far away, and what do honest ones see of it?",
  source = "RFC 5082; ip(7) and ipv6(7): IP_MINTTL, IPV6_MINHOPCOUNT",
  here = "A peer with the usual hop limit of 64 sees silence, and ETIMEDOUT. One that sets it to "
    .. "255, too, is connected; a forged RST with exact numbers, that came with 64, is ignored. "
    .. "Linux 2.6.34 (IPv6: 2.6.35) or newer.",
  why = "tcp_v4_rcv() and tcp_v6_rcv() drop what is below the socket's minimum before TCP looks at "
    .. "it, and count TCPMinTTLDrop. An attacker who is n routers away cannot send a segment that "
    .. "arrives with more than 255 - n.",
  tags = { "segments", "reset", "connect", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local least = lab.family == 4 and "IP_MINTTL" or "IPV6_MINHOPCOUNT"
    local own = lab.family == 4 and "IP_TTL" or "IPV6_UNICAST_HOPS"
    local server = kodos:dnc("--repl")
    server:type(("socket %d\nsetsockopt %s 255\n"):format(lab.family, least))
    server:type "bind 8080\nlisten\naccept\n"
    lab:expect(server):call("accept"):is_entered()
    local function connect(hop_limit)
      local client = kang:dnc("--repl")
      client:type(("socket %d\nsetsockopt %s %d\n"):format(lab.family, own, hop_limit))
      client:type "connect kodos 8080\n"
      return client
    end

    local near = connect(255)
    lab:expect(near):call("connect"):returns(0)
    server:type(("setsockopt %s 255\n"):format(own)) -- of the connection: answers, too
    lab:expect(server):call("setsockopt"):returns(0)
    local conn = lab:connection(server)
    conn:rst()
    lab:never(server, 0.2):in_state "CLOSED"
    near:type "write hello\n"
    server:type "read\n"
    lab:expect(server):call("read"):returns(5)

    local patience = lab:timer("connect_timeout", kang)
    local far = connect(64)
    local call = lab:expect(far):within(2 * patience):call("connect"):fails "ETIMEDOUT"
    lab:expect_time(call.t - call.entered, patience, "giving up")
  end,
}
