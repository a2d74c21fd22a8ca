-- redis-cli as it is. The same request twice, with a pause between them.
-- Packages: redis-tools, redis-server
local redis = include "servers/redis.lib.lua"

return redis.audit {
  title = "redis-cli",
  needs = { "program redis-cli" },
  client = { "redis-cli", "-h", "SERVER", "-r", "2", "-i", "1", "blpop", "queue", "0.5" },
}
