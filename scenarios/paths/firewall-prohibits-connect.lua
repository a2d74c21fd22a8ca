-- A firewall rejects a connect with the ICMP error "administratively prohibited". IPv4 and IPv6
-- turn it into different errnos.
return {
  title = "A firewall rejects a connect with ICMP",
  asks = "What does connect(2) return if a firewall rejects it with an ICMP error?",
  source = "RFC 1812 section 5.2.7.1 (code 13); RFC 4443 section 3.1 (code 1)",
  here = "connect fails at once, with EHOSTUNREACH on IPv4 and EACCES on IPv6. Measured on Linux "
    .. "6.18.",
  why = "Each family has its own table of ICMP codes: icmp_err_convert[] turns ICMP_PKT_FILTERED "
    .. "into EHOSTUNREACH, and ICMPv6's tab_unreach[] turns ADM_PROHIBITED into EACCES. In "
    .. "SYN_SENT the error ends the attempt.",
  tags = { "paths", "firewall", "nft", "connect", "icmp" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
    }
    net.gateway:nft [[
      table inet filter {
        chain forward {
          type filter hook forward priority filter;
          tcp dport 8080 reject with icmpx admin-prohibited
        }
      }
    ]]
    net.kodos:dnc("-l", 8080)
    local client = net.kang:dnc(net.kodos, 8080)
    lab:expect_packet("gateway > kang",
      lab.family == 4 and "icmp[0] = 3 and icmp[1] = 13" or "icmp6 and ip6[40] = 1 and ip6[41] = 1")
    lab:expect(client):call("connect"):fails(lab.family == 4 and "EHOSTUNREACH" or "EACCES")
    lab:expect(client):in_state "CLOSED"
    lab:expect(net.kodos):has_no_connection()
  end,
}
