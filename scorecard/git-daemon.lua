-- git clone over git's own protocol, as it is.
-- Packages: git
local audit = include "tcplab/audit/audit.lib.lua"
local repository = include "servers/git.lib.lua"

return audit {
  title = "git clone git://",
  needs = { "program git" },
  server = {
    "sh", "-c", repository .. "exec git daemon --base-path=/tmp --export-all", cwd = "/tmp",
    name = "server",
  },
  port = 9418,
  client = { "git", "clone", "-q", "git://SERVER/r", "/tmp/clone" },
}
