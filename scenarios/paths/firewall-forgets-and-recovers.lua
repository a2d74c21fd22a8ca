-- A firewall that loses its state need not break connections. With the common rule "accept new
-- connections from inside", a segment from the middle of a connection creates a new entry.
return {
  title = "A firewall loses its state and recovers",
  asks = "Why do some connections survive the reboot of a firewall?",
  source = "nf_conntrack-sysctl, nf_conntrack_tcp_loose",
  here = "Because their first segment from inside restores the firewall's entry. This needs "
    .. "nf_conntrack_tcp_loose=1, the default, and a rule that accepts ct state new without "
    .. "requiring a SYN. Until then nothing passes from outside. Measured on Linux 6.18.",
  why = "tcp_new() accepts an ACK from the middle of a connection as its first packet and checks "
    .. "windows loosely from there. With nf_conntrack_tcp_loose=0 such a segment is invalid.",
  tags = { "paths", "firewall", "nft" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
    }
    net.gateway:nft [[
      table inet filter {
        chain forward {
          type filter hook forward priority filter; policy drop;
          ct state established accept
          iifname "eth0" ct state new accept
        }
      }
    ]]
    local client, server = lab:connect(net.kang, net.kodos)

    net.gateway:power_cycle()
    server:type "from outside\n"
    lab:expect(server):call("write"):returns(13)
    lab:never(client, 0.1):prints "from outside"
    client:type "from inside\n"
    lab:expect(server):prints "from inside"
    lab:expect(client):prints "from outside"
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
