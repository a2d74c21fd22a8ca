-- curl that tries again, with a limit for each try.
-- Packages: curl
local http = include "servers/http.lib.lua"

return http.audit {
  title = "curl --retry 3",
  needs = { "program curl" },
  client = { "curl", "-sS", "--retry", "3", "--max-time", "10", http.url },
}
