-- libmemcached, through its program memcstat.
-- Packages: libmemcached-tools, memcached
local memcached = include "servers/memcached.lib.lua"

return memcached.audit {
  title = "libmemcached (memcstat)",
  needs = { "program memcstat" },
  client = { "memcstat", "--servers=SERVER" },
  judge = function(output, status) return status == 0 and output:find "curr_connections" ~= nil end,
}
