-- redis-py with socket_timeout, which also limits connecting.
-- Packages: python3-redis, redis-server
local redis = include "servers/redis.lib.lua"
local CLIENT = [[
import redis, time
client = redis.Redis(host="SERVER", socket_timeout=5)
print(client.blpop("queue", timeout=1), flush=True)
time.sleep(1)
print(client.get("key"), flush=True)
]]

return redis.audit {
  title = "redis-py, socket_timeout=5",
  needs = { "program /usr/bin/python3" },
  client = { "/usr/bin/python3", "-c", CLIENT },
}
