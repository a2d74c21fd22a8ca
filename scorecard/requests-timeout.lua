-- Python's requests with timeouts for connecting and for each read.
-- Packages: python3-requests
local http = include "servers/http.lib.lua"
local CLIENT = [[
import requests, time
session = requests.Session()
print(len(session.get("http://SERVER/page", timeout=(5, 10)).content), flush=True)
time.sleep(1)
print(len(session.get("http://SERVER/page", timeout=(5, 10)).content), flush=True)
]]

return http.audit {
  title = "Python requests, timeout=(5, 10)",
  needs = { "program /usr/bin/python3" },
  client = { "/usr/bin/python3", "-c", CLIENT },
}
