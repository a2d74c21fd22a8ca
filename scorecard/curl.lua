-- curl as it is.
-- Packages: curl
local http = include "servers/http.lib.lua"

return http.audit {
  title = "curl",
  needs = { "program curl" },
  client = { "curl", "-sS", http.url },
}
