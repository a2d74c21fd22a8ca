-- Python's urllib3 as it is: a request is tried three times more. Two requests on one connection,
-- with a pause between them.
-- Packages: python3-urllib3
local http = include "servers/http.lib.lua"
local CLIENT = [[
import time, urllib3
pool = urllib3.PoolManager()
print(len(pool.request("GET", "http://SERVER/page").data), flush=True)
time.sleep(1)
print(len(pool.request("GET", "http://SERVER/page").data), flush=True)
]]

return http.audit {
  title = "Python urllib3",
  needs = { "program /usr/bin/python3" },
  client = { "/usr/bin/python3", "-c", CLIENT },
}
