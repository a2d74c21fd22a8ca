-- redis-py as it is. A blocking read, a pause and a get on one connection.
-- Packages: python3-redis, redis-server
local redis = include "servers/redis.lib.lua"
local CLIENT = [[
import redis, time
client = redis.Redis(host="SERVER")
print(client.blpop("queue", timeout=1), flush=True)
time.sleep(1)
print(client.get("key"), flush=True)
]]

return redis.audit {
  title = "redis-py",
  needs = { "program /usr/bin/python3" },
  client = { "/usr/bin/python3", "-c", CLIENT },
}
