-- A firewall rejects a connect with a RST. To the client this looks like a host where no program
-- listens on the port.
return {
  title = "A firewall rejects a connect with a RST",
  asks = "What does connect(2) return if a firewall rejects it with a TCP reset?",
  source = "nft(8), reject with tcp reset; RFC 9293 section 3.10.7.3",
  here = "connect fails at once with ECONNREFUSED. The host behind the firewall sees nothing. "
    .. "Measured on Linux 6.18.",
  why = "The firewall's RST acknowledges the SYN and comes from the address and port that the "
    .. "client asked for, so in SYN_SENT tcp_reset() sets ECONNREFUSED.",
  tags = { "paths", "firewall", "nft", "connect", "reset" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
    }
    net.gateway:nft [[
      table inet filter {
        chain forward {
          type filter hook forward priority filter;
          tcp dport 8080 reject with tcp reset
        }
      }
    ]]
    net.kodos:dnc("-l", 8080)
    local client = net.kang:dnc(net.kodos, 8080)
    lab:expect_packet("gateway > kang", "tcp[tcpflags] & tcp-rst != 0 and src port 8080")
    lab:expect(client):call("connect"):fails "ECONNREFUSED"
    lab:expect(client):in_state "CLOSED"
    lab:expect(net.kodos):has_no_connection()
  end,
}
