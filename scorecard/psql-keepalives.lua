-- psql with keepalive, TCP_USER_TIMEOUT and a limit for connecting.
-- Packages: postgresql-client-15, postgresql-15
local postgres = include "servers/postgres.lib.lua"
local SETTINGS = "host=SERVER user=postgres connect_timeout=5 keepalives_idle=5 "
  .. "keepalives_interval=5 keepalives_count=3 tcp_user_timeout=20000"

return postgres.audit {
  title = "psql, keepalives and tcp_user_timeout",
  needs = { "program psql" },
  client = { "psql", "-XAtq", SETTINGS, table.unpack(postgres.commands) },
}
