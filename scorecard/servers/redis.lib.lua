-- A redis-server for the scorecard. Clients read from an empty list for 1 s: that is the answer for
-- which they wait.
local audit = include "tcplab/audit/audit.lib.lua"
local redis = {}

-- Returns the audit of a client. `plan` has its fields, such as `title` and `client`.
function redis.audit(plan)
  plan.server = {
    "redis-server", "--save", "", "--protected-mode", "no", cwd = "/tmp", name = "server",
  }
  plan.port = 6379
  plan.needs = { "program redis-server", table.unpack(plan.needs or {}) }
  return audit(plan)
end

return redis
