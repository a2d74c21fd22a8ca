-- A path that works, for comparison with those that fail: a router forwards IP packets and ignores
-- TCP. Only the two ends have connection state.
return {
  title = "Through a router",
  asks = "What does a router change in the TCP segments that it forwards?",
  source = "RFC 1812 section 5.3.1; RFC 8200 section 3 (hop limit)",
  here = "Nothing. It decrements the hop limit of the IP packet, and it has no socket and no "
    .. "connection state. Measured on Linux 6.18.",
  why = "ip_forward() and ip6_forward() decrement the hop limit and send the packet on. No layer "
    .. "above IP is involved.",
  tags = { "paths", "router" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
    }
    local syn = "tcp[tcpflags] = tcp-syn"
    local hops = lab.family == 4 and "ip[8] = %d" or "ip6[7] = %d"
    local server = net.kodos:dnc("-l", 8080)
    local client = net.kang:dnc("--on-stdin-eof", "shutdown", net.kodos, 8080)
    lab:expect_packet("kang > gateway", syn .. " and " .. hops:format(64))
    lab:expect_packet("gateway > kodos", syn .. " and " .. hops:format(63))
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "by way of the gateway\n"
    lab:expect(server):prints "by way of the gateway"
    lab:expect(net.gateway):has_no_connection()
    client:close_stdin()
    lab:expect(server):in_state "CLOSE_WAIT"
    lab:expect(client):in_state "FIN_WAIT2"
  end,
}
