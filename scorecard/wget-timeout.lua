-- wget with a limit of 10 s for connecting and for each read.
-- Packages: wget
local http = include "servers/http.lib.lua"

return http.audit {
  title = "wget --timeout=10 --tries=2",
  needs = { "program wget" },
  client = { "wget", "-q", "--timeout=10", "--tries=2", "-O", "/dev/null", http.url },
}
