-- A firewall between client and server, for failures.
local gateway = {}
local RULES = [[
table inet filter {
  chain forward {
    type filter hook forward priority filter; policy drop;
    ct state established accept
    tcp flags & (syn | ack) == syn ct state new accept
    meta l4proto tcp %s
  }
}
]]

-- Returns the hosts client and server. `otherwise` is what happens to a segment that belongs to no
-- connection that the firewall knows.
function gateway.hosts(lab, options, otherwise)
  local net = lab:network {
    links = { lan = {}, wan = {} },
    hosts = { client = { "lan" }, firewall = { "lan", "wan" }, server = { "wan" } },
    sysctls = options.sysctls,
  }
  net.firewall:nft(RULES:format(otherwise))
  return net.client, net.server, net.firewall
end

-- The power cycle is how the firewall loses its table: it loads its rules again at once.
function gateway.forget(cell) cell.between:power_cycle() end

return gateway
