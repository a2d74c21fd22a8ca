-- curl with a limit for connecting, and one for everything.
-- Packages: curl
local http = include "servers/http.lib.lua"

return http.audit {
  title = "curl --max-time 20",
  needs = { "program curl" },
  client = { "curl", "-sS", "--connect-timeout", "5", "--max-time", "20", http.url },
}
