-- pymemcache as it is. Two requests on one connection, with a pause between them.
-- Packages: python3-pymemcache, memcached
local memcached = include "servers/memcached.lib.lua"
local CLIENT = [[
import time
from pymemcache.client.base import Client
client = Client(("SERVER", 11211))
client.set("key", "x" * 65536)
print(len(client.get("key")), flush=True)
time.sleep(1)
print(client.get("none"), flush=True)
]]

return memcached.audit {
  title = "pymemcache",
  needs = { "program /usr/bin/python3" },
  client = { "/usr/bin/python3", "-c", CLIENT },
}
