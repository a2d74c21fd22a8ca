-- A router on the path loses its route, because a routing protocol withdrew it. It sends an ICMP
-- error for each packet, but an established connection keeps retransmitting, as RFC 1122 requires.
return {
  title = "A router on the path loses its route",
  asks = "What does a program see when a router on the path loses the route to the peer?",
  source = "RFC 1122 section 4.2.3.9; RFC 1812 section 5.2.7.1 (code 0); RFC 4443 section 3.1",
  here = "TCP retransmits as long as usual. Then the first call, here a write, fails with "
    .. "ENETUNREACH instead of ETIMEDOUT. After that, read returns 0 and write fails with EPIPE. "
    .. "Measured on Linux 6.18.",
  why = "tcp_v4_err() and tcp_v6_err() store the last ICMP error in sk_err_soft. tcp_write_err() "
    .. "reports it when the kernel gives up after tcp_retries2.",
  tags = { "paths", "router", "icmp", "timeout" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, backbone = {}, wan = {} },
      hosts = {
        kang = { "lan" }, gateway = { "lan", "backbone" },
        exchange = { "backbone", "wan" }, kodos = { "wan" },
      },
    }
    local client = lab:connect(net.kang, net.kodos, { client = { "--repl", "--ignore-sigpipe" } })

    net.gateway:route(net.kodos, "none")
    local gives_up_after = lab:timer("r2", client)
    local patience = gives_up_after * 2 + 5 * lab.second
    client:type "write hello\n"
    lab:expect(client):call("write"):returns(5)
    lab:expect_packet("gateway > kang",
      lab.family == 4 and "icmp[0] = 3 and icmp[1] = 0" or "icmp6 and ip6[40] = 1 and ip6[41] = 0")
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(client):within(patience):in_state "CLOSED"
    client:type "write again\nread\nwrite again\n"
    lab:expect(client):call("write"):fails "ENETUNREACH"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("write"):fails "EPIPE"
  end,
}
