-- A firewall that forgets need not do harm. The common ruleset "what is new from inside may pass"
-- takes a segment from the middle of a connection as the beginning of one.
return {
  title = "The firewall forgets, and picks the connection up",
  asks = "Why do some connections live through the reboot of a firewall?",
  source = "nf_conntrack-sysctl, nf_conntrack_tcp_loose",
  here = "With nf_conntrack_tcp_loose=1, the default, and a rule that accepts ct state new without "
    .. "asking for a SYN, the first segment from inside restores the entry. From outside nothing "
    .. "passes before that. Measured on Linux 6.18.",
  why = "tcp_new() accepts an ACK in the middle as the first packet of a connection, and takes "
    .. "windows loosely from there; nf_conntrack_tcp_loose=0 makes such a segment invalid.",
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
    local server = net.kodos:dnc("-l", 8080)
    local client = net.kang:dnc(net.kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

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
