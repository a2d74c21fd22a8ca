-- A memcached for the scorecard.
local audit = include "tcplab/audit/audit.lib.lua"
local memcached = {}

-- Returns the audit of a client. `plan` has its fields, such as `title` and `client`.
function memcached.audit(plan)
  plan.server = { "memcached", "-u", "root", name = "server" }
  plan.port = 11211
  plan.needs = { "program memcached", table.unpack(plan.needs or {}) }
  return audit(plan)
end

return memcached
