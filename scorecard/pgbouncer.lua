-- pgbouncer in front of PostgreSQL, as it is. psql asks it; psql itself waits without end.
-- Packages: pgbouncer, postgresql-client-15, postgresql-15
local postgres = include "servers/postgres.lib.lua"
local SETTINGS = [[
[databases]
* = host=server port=5432 user=postgres
[pgbouncer]
listen_addr = *
listen_port = 6432
unix_socket_dir =
auth_type = any
]]

return postgres.audit {
  title = "pgbouncer (psql behind it)",
  needs = { "root", "program pgbouncer", "program psql" },
  prepare = function(cell)
    cell.client_host:file("/tmp/pgbouncer.ini", SETTINGS)
    cell.client_host:run { "pgbouncer", "/tmp/pgbouncer.ini", as = "nobody", name = "proxy" }
    cell.lab:expect(cell.client_host):within(20):listens(6432)
  end,
  start_client = function(cell)
    return cell.client_host:run {
      "psql", "-XAtq", "host=localhost port=6432 user=postgres", name = "client",
      table.unpack(postgres.commands),
    }
  end,
}
