-- An ICMP error answers a SYN/ACK: the client cannot be reached, or its address was forged. In a
-- SYN flood a server has thousands of such half-open connections.
return {
  title = "ICMP error in SYN_RECV",
  asks = "If an ICMP error answers the SYN/ACK, what does the listening program see?",
  source = "RFC 1122 section 4.2.3.9; RFC 5461 section 2.2; accept(2)",
  here = "Nothing. But the kernel may remove the half-open connection. On IPv4, host and network "
    .. "unreachable remove it, and port unreachable is ignored. On IPv6 it is the other way round. "
    .. "Measured on Linux 6.18.",
  why = "tcp_req_err() drops the request if its caller asks for that. tcp_v4_err() asks for it if "
    .. "a host or network is unreachable; tcp_v6_err() asks for it if icmpv6_err_convert() "
    .. "classifies the error as fatal. The error must quote the SYN/ACK's sequence number. accept "
    .. "reports no error about a connection that it has not returned.",
  tags = { "connect", "icmp", "half-open", "accept" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    lab:expect(server):call("listen"):returns(0)
    local router = lab.family == 4 and "10.0.0.254" or "fd00::254"
    lab:cut("kodos > kang", "tcp")
    kang:dnc(kodos, 8080)
    local syn_ack = lab:expect_packet("kodos > kang", "SYN ACK",
      { fate = "lost" })
    lab:expect(kodos):in_state "SYN_RECV"

    local ignored, fatal = "port-unreachable", "host-unreachable"
    if lab.family == 6 then ignored, fatal = fatal, ignored end
    lab:icmp { error = ignored, about = syn_ack, from = router }
    lab:expect(kodos):still_in_state "SYN_RECV"
    lab:icmp { error = fatal, about = syn_ack, from = router }
    lab:expect(kodos):in_state "CLOSED"
    lab:never(server, 0.05):call("accept"):returns()
  end,
}
