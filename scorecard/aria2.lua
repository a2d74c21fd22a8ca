-- aria2 as it is: 60 s for connecting and for each read, and 5 tries.
-- Packages: aria2
local http = include "servers/http.lib.lua"

return http.audit {
  title = "aria2",
  needs = { "program aria2c" },
  client = { "aria2c", "-q", "-d", "/tmp", http.url },
}
