-- Python's httpx as it is: 5 s for connecting and for each read. Two requests on one connection,
-- with a pause between them.
-- Packages: python3-httpx
local http = include "servers/http.lib.lua"
local CLIENT = [[
import httpx, time
with httpx.Client() as client:
    print(len(client.get("http://SERVER/page").content), flush=True)
    time.sleep(1)
    print(len(client.get("http://SERVER/page").content), flush=True)
]]

return http.audit {
  title = "Python httpx",
  needs = { "program /usr/bin/python3" },
  client = { "/usr/bin/python3", "-c", CLIENT },
}
