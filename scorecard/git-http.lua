-- git clone over HTTP, as it is: libcurl, without a limit.
-- Packages: git
local audit = include "tcplab/audit/audit.lib.lua"
local repository = include "servers/git.lib.lua"

return audit {
  title = "git clone http://",
  needs = { "program git", "program /usr/bin/python3" },
  server = {
    "sh", "-c", repository .. "exec /usr/bin/python3 -m http.server 80", cwd = "/tmp",
    name = "server",
  },
  port = 80,
  client = { "git", "clone", "-q", "http://SERVER/r/.git", "/tmp/clone" },
  families = { 4 },
}
