-- Like firewall-forgets-and-drops.lua, but the firewall rejects unknown segments with a RST. It
-- sends the RST with the other host's address, and only to the sender. The other end notices
-- nothing.
return {
  title = "A firewall loses its state and resets",
  asks = "What happens when a firewall answers unknown segments with a RST?",
  source = "nft(8), reject with tcp reset; RFC 9293 section 3.10.7.4",
  here = "The end that writes first gets ECONNRESET at once. The other end stays ESTABLISHED "
    .. "until it writes, and then gets its own RST. Measured on Linux 6.18.",
  why = "nf_send_reset() sends a RST back to the segment's sender, with the addresses swapped, "
    .. "and the firewall drops the segment. It sends nothing to the other end.",
  tags = { "paths", "firewall", "nft", "reset" },

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
          meta l4proto tcp reject with tcp reset
        }
      }
    ]]
    local client, server = lab:connect(net.kang, net.kodos)

    net.gateway:power_cycle()
    client:type "kodos, are you there?\n"
    lab:expect(client):call("write"):returns(22)
    lab:expect_packet("gateway > kang", "tcp[tcpflags] & tcp-rst != 0 and src port 8080")
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):still_in_state "ESTABLISHED"

    server:type "kang?\n"
    lab:expect_packet("gateway > kodos", "tcp[tcpflags] & tcp-rst != 0 and dst port 8080")
    lab:expect(server):call("read"):fails "ECONNRESET"
  end,
}
