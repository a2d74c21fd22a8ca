-- A stateful firewall loses its table of connections, and drops the packets of those without a
-- word. New connections pass.
local gateway = include "../gateway.lib.lua"

return {
  name = "firewall-forgets",
  title = "firewall forgets, silent",
  sides = { "path" },
  needs_connection = true,
  hosts = function(lab, options) return gateway.hosts(lab, options, "drop") end,
  begin = gateway.forget,
}
