-- In a data centre a round trip takes 0.1 ms, and an RTO of 200 ms is very long. But an RTO that
-- suits the data centre is shorter than the peer's delayed ACK.
return {
  title = "tcp_rto_min_us",
  asks = "What happens if the RTO is shorter than the peer's delayed ACK?",
  source = "RFC 6298 section 2.4; RFC 9293 section 3.8.6.3; ip-sysctl, tcp_rto_min_us",
  here = "Single segments are sent twice although nothing is lost. Here the retransmission comes "
    .. "after about 5 ms; the delayed ACK would come after 40 ms. The receiver answers the copy "
    .. "with a D-SACK. Linux 6.11 or newer has the sysctl; older kernels have the route's rto_min.",
  why = "RFC 6298's minimum RTO of 1 s (Linux: 200 ms) allows for ACKs that are delayed by up to "
    .. "500 ms (RFC 9293). The receiver's 40 ms, TCP_DELACK_MIN, cannot be changed. A tail loss "
    .. "probe also waits for tcp_rto_min().",
  tags = { "options", "latency", "retransmission" },
  needs = { "sysctl net.ipv4.tcp_rto_min_us" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kang:sysctl("net.ipv4.tcp_rto_min_us", 5000)
    local client, server = lab:connect(kang, kodos, {
      client = { "--repl" }, server = { "--repl" },
    })
    for _ = 1, 3 do -- requests and answers, so that the peer's kernel enters interactive mode
      server:type "read\nwrite answer\n"
      client:type "write request\nread\n"
      lab:expect(client):call("read"):returns(6)
    end
    lab:expect(server):sleeps()

    client:type "write more\n"
    local sack = lab:expect_packet("kodos > kang", "tcp[12] & 0xf0 > 0x80")
    lab:check(sack.summary:find "sack", "the ACK has a SACK block", sack.summary)
    server:type "read\n"
    lab:expect(server):call("read"):returns()
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
