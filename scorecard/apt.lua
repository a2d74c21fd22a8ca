-- apt's method for http, with which it downloads packages and lists.
-- Packages: apt
local http = include "servers/http.lib.lua"

return http.audit {
  title = "apt",
  needs = { "program /usr/lib/apt/apt-helper" },
  -- It prints how fast it was.
  judge = function(_, status) return status == 0 end,
  client = { "/usr/lib/apt/apt-helper", "download-file", http.url, "/tmp/page" },
}
