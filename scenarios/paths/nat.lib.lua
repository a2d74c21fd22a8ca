-- A host behind a NAT that soon forgets idle connections.
local nat = {}

-- Returns a network: kang is behind the NAT, which is called gateway, and kodos is outside.
-- `options` may have `sysctls` of all hosts, and `forgets_after` in seconds, 1 by default.
function nat.network(lab, options)
  options = options or {}
  local net = lab:network {
    links = { lan = { hidden = true }, wan = {} },
    hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
    sysctls = options.sysctls,
  }
  net.gateway:nft [[
    table inet nat {
      chain out { type nat hook postrouting priority srcnat; oifname "eth1" masquerade; }
    }
  ]]
  nat.forgets_after = options.forgets_after or 1
  net.gateway:sysctl("net.netfilter.nf_conntrack_tcp_timeout_established", nat.forgets_after)
  return net
end

function nat.wait_until_it_forgets(lab)
  lab:wait(1.5 * nat.forgets_after)
end

return nat
