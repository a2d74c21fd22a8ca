-- The same, but the firewall answers with a RST, as the NAT gateway of AWS does.
local gateway = include "../gateway.lib.lua"

return {
  name = "firewall-resets",
  title = "firewall forgets, RST",
  sides = { "path" },
  needs_connection = true,
  hosts = function(lab, options) return gateway.hosts(lab, options, "reject with tcp reset") end,
  begin = gateway.forget,
}
