-- The same narrow link, but somebody has filtered all ICMP, "for security". Small segments pass,
-- full-size ones vanish, and nobody says why: logins work, and the first long answer hangs.
return {
  title = "The path MTU black hole",
  asks = "Why does a connection hang as soon as there is much to send?",
  source = "RFC 2923 section 2.1; RFC 4821; CATALOGUE",
  here = "The handshake and small writes get through; a large write stalls: each retransmission "
    .. "is as large as the first, and it ends with ETIMEDOUT. Measured on Linux 6.18.",
  why = "Path MTU discovery rests on ICMP, which is dropped here. With tcp_mtu_probing=0, the "
    .. "default, the kernel never tries a smaller segment by itself.",
  tags = { "paths", "router", "icmp", "mtu", "firewall" },
  quiz = {
    asks = "A link on the way takes 1300 octets, and ICMP is filtered. connect and small "
      .. "writes work. What of a write of 1608 octets?",
    { "write succeeds; its first segment never arrives: ETIMEDOUT in the end", right = true },
    { "It arrives: the router fragments what is too large",
      because = "Linux sets Don't Fragment; IPv6 routers never fragment." },
    { "write fails with EMSGSIZE",
      because = "That is for datagrams. write(2) of a stream only fills a buffer." },
    { "It arrives later: the kernel tries smaller segments",
      because = "Only with tcp_mtu_probing, which is off: tcplab explain path-mtu-probing." },
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
    local server = net.kodos:dnc("-l", 8080)
    local client = net.kang:dnc(net.kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    client:type "short\n"
    lab:expect(server):prints "short"

    local gives_up_after = lab:timer("retransmission_timeout", client)
    client:type(("x"):rep(1600) .. "the end\n")
    local write = lab:expect(client):call("write"):returns(1608)
    lab:expect(client):within(gives_up_after * 2):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_between(gone.t - write.t, lab:timer("retransmission_limit", net.kang),
      gives_up_after, "giving up")
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
