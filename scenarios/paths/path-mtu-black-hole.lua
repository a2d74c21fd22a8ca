-- A link on the path is narrow, and a firewall drops all ICMP, "for security". Small segments pass
-- and full-size ones vanish without an error: logins work, and the first long answer hangs.
local expect_give_up = include "gives_up.lib.lua"

return {
  title = "The path MTU black hole",
  asks = "Why does a connection hang as soon as it sends a lot of data?",
  source = "RFC 2923 section 2.1; RFC 4821",
  here = "Because its full-size segments do not fit through a narrow link, and no ICMP error says "
    .. "so. The handshake and small writes succeed. A large write hangs: each retransmission is as "
    .. "large as the first segment, and the connection ends with ETIMEDOUT. Measured on Linux "
    .. "6.18.",
  why = "Path MTU discovery needs ICMP, which is dropped here. With tcp_mtu_probing=0, the "
    .. "default, the kernel never tries smaller segments on its own.",
  tags = { "paths", "router", "icmp", "mtu", "firewall" },
  quiz = {
    asks = "A link on the path has an MTU of 1300, and ICMP is filtered. connect and small writes "
      .. "work. What happens to a write of 1608 bytes?",
    { "write succeeds, but its first segment never arrives: ETIMEDOUT", right = true },
    { "It arrives: the router fragments packets that are too large",
      because = "Linux sets Don't Fragment, and IPv6 routers never fragment." },
    { "write fails with EMSGSIZE",
      because = "That happens with datagrams. On a stream, write(2) only fills a buffer." },
    { "It arrives later: the kernel tries smaller segments",
      because = "Only with tcp_mtu_probing, which is off by default: tcplab explain "
        .. "path-mtu-probing." },
  },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, middle = { mtu = 1300 }, wan = {} },
      hosts = {
        kang = { "lan" }, near = { "lan", "middle" }, far = { "middle", "wan" }, kodos = { "wan" },
      },
    }
    net.near:nft [[
      table inet filter {
        chain out { type filter hook output priority filter; meta l4proto { icmp, icmpv6 } drop; }
      }
    ]]
    local client, server = lab:connect(net.kang, net.kodos)
    client:type "short\n"
    lab:expect(server):prints "short"

    client:type(("x"):rep(1600) .. "the end\n")
    local write = lab:expect(client):call("write"):returns(1608)
    expect_give_up(lab, client, net.kang, write)
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
