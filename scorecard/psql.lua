-- psql as it is: keepalive is on, with the times of the kernel.
-- Packages: postgresql-client-15, postgresql-15
local postgres = include "servers/postgres.lib.lua"

return postgres.audit {
  title = "psql",
  needs = { "program psql" },
  client = { "psql", "-XAtq", "host=SERVER user=postgres", table.unpack(postgres.commands) },
}
