-- The answer to a SYN comes back as an ICMP error: the client that asked is not to be reached, or
-- it was never there. A server has thousands of such half-open connections in a SYN flood.
return {
  title = "An ICMP error in SYN_RECV",
  asks = "The SYN,ACK is answered by an ICMP error: what does the listener's program notice?",
  source = "RFC 1122 section 4.2.3.9; RFC 5461 section 2.2; accept(2)",
  here = "Nothing, but the two families disagree on which errors end it. IPv4: host and network "
    .. "unreachable take the half-open connection away, port unreachable is ignored. IPv6: the "
    .. "other way round. Measured on Linux 6.18.",
  why = "tcp_req_err() drops the request where its caller says so: tcp_v4_err() for what cannot be "
    .. "reached, tcp_v6_err() for what icmpv6_err_convert() calls fatal. The quoted number must be "
    .. "the SYN,ACK's. accept has no error for a connection that it has not handed out.",
  tags = { "connect", "icmp", "half-open", "accept" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    lab:expect(server):call("listen"):returns(0)
    local router = lab.family == 4 and "10.0.0.254" or "fd00::254"
    lab:cut("kodos > kang", "tcp")
    kang:dnc(kodos, 8080)
    local syn_ack = lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-syn|tcp-ack",
      { fate = "lost" })
    lab:expect(kodos):in_state "SYN_RECV"

    local ignored, heeded = "port-unreachable", "host-unreachable"
    if lab.family == 6 then ignored, heeded = heeded, ignored end
    lab:icmp { error = ignored, about = syn_ack, from = router }
    lab:expect(kodos):still_in_state "SYN_RECV"
    lab:icmp { error = heeded, about = syn_ack, from = router }
    lab:expect(kodos):in_state "CLOSED"
    lab:never(server, 0.05):call("accept"):returns()
  end,
}
