-- A client and a server, and between them a firewall that forgets idle connections without a word.
local firewall = { forgets_after = 2 }
local RULES = [[
table inet filter {
  chain forward {
    type filter hook forward priority filter; policy drop;
    ct state established accept
    tcp flags & (syn | ack) == syn ct state new accept
  }
}
]]

-- Returns kang, kodos, and the gateway between them.
function firewall.hosts(lab)
  local net = lab:network {
    links = { lan = {}, wan = {} },
    hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
  }
  net.gateway:nft(RULES)
  net.gateway:sysctl("net.netfilter.nf_conntrack_tcp_timeout_established", firewall.forgets_after)
  return net.kang, net.kodos, net.gateway
end

function firewall.wait_until_it_forgets(lab)
  lab:wait(1.5 * firewall.forgets_after)
end

return firewall
