-- wget as it is: 900 s for each read, and 20 tries.
-- Packages: wget
local http = include "servers/http.lib.lua"

return http.audit {
  title = "wget",
  needs = { "program wget" },
  client = { "wget", "-q", "-O", "/dev/null", http.url },
}
