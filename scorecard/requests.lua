-- Python's requests as it is. Two requests on one connection, with a pause between them.
-- Packages: python3-requests
local http = include "servers/http.lib.lua"
local CLIENT = [[
import requests, time
session = requests.Session()
print(len(session.get("http://SERVER/page").content), flush=True)
time.sleep(1)
print(len(session.get("http://SERVER/page").content), flush=True)
]]

return http.audit {
  title = "Python requests",
  needs = { "program /usr/bin/python3" },
  client = { "/usr/bin/python3", "-c", CLIENT },
}
