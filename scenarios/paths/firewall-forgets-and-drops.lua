-- A stateful firewall passes only segments of connections in its table. After a reboot, or when the
-- table was flushed or full, it does not know the old connections and drops their segments.
local expect_give_up = include "gives_up.lib.lua"

return {
  title = "A firewall loses its state and drops",
  asks = "What happens to a connection when a stateful firewall on its path loses its state?",
  source = "RFC 5382 section 5; nf_conntrack-sysctl, nf_conntrack_tcp_loose",
  here = "The same as when the peer loses its power: nothing happens while the connection is idle, "
    .. "and the end that writes gets ETIMEDOUT. The other end notices nothing. Measured on Linux "
    .. "6.18.",
  why = "In this ruleset only a SYN creates an entry in the table. The firewall silently drops "
    .. "the data and its retransmissions. To TCP that is a black hole.",
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
          tcp flags & (syn | ack) == syn ct state new accept
        }
      }
    ]]
    local client, server = lab:connect(net.kang, net.kodos)

    net.gateway:power_cycle()
    lab:idle(20 * lab.minute)
    lab:expect(client):still_in_state "ESTABLISHED"
    client:type "kodos, are you there?\n"
    local write = lab:expect(client):call("write"):returns(22)
    expect_give_up(lab, client, net.kang, write)
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
