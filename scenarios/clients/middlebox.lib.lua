-- A firewall, load balancer or NAT between two links. It forgets connections that are idle for
-- `forgets_after` seconds: minutes in the products that scenarios here stand for.
local middlebox = { forgets_after = 2 }

-- Drops segments of connections that it does not know.
local SILENT = [[
table inet filter {
  chain forward {
    type filter hook forward priority filter; policy drop;
    ct state established accept
    tcp flags & (syn | ack) == syn ct state new accept
  }
}
]]

-- Translates addresses. Answers unknown segments from the inside with a RST, and drops those from
-- the outside.
local NAT = [[
table inet nat {
  chain arrive {
    type filter hook prerouting priority filter; iifname "eth1" ct state invalid drop;
  }
  chain forward {
    type filter hook forward priority filter;
    iifname "eth0" ct state invalid meta l4proto tcp reject with tcp reset
  }
  chain out { type nat hook postrouting priority srcnat; oifname "eth1" masquerade; }
}
]]

local function start(lab, lan, rules, neighbour)
  local hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } }
  if neighbour then hosts[neighbour] = { "lan" } end
  local net = lab:network { links = { lan = lan, wan = {} }, hosts = hosts }
  net.gateway:nft(rules)
  net.gateway:sysctl("net.netfilter.nf_conntrack_tcp_timeout_established", middlebox.forgets_after)
  net.gateway:sysctl("net.netfilter.nf_conntrack_tcp_loose", 0)
  return net
end

-- Both return the hosts: kang is inside, kodos is outside, and gateway is between them. `neighbour`
-- is the name of another host inside.
function middlebox.silent(lab, neighbour) return start(lab, {}, SILENT, neighbour) end
function middlebox.nat(lab) return start(lab, { hidden = true }, NAT) end

function middlebox.wait_until_it_forgets(lab)
  lab:wait(1.25 * middlebox.forgets_after)
end

return middlebox
