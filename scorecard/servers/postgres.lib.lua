-- A PostgreSQL server that trusts everybody. It runs as nobody, because it refuses to run as root.
-- Debian has its programs outside PATH.
local audit = include "tcplab/audit/audit.lib.lua"
local START = [[
PATH=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1):$PATH
initdb --no-sync --no-locale --wal-segsize 1 --username postgres /tmp/data >/dev/null || exit
echo "host all all all trust" >/tmp/data/pg_hba.conf
exec postgres -D /tmp/data -c listen_addresses="*" -c unix_socket_directories= -c fsync=off
]]
local postgres = {
  -- For psql. The first request takes 0.3 s, so that it is the one after which a client waits
  -- longest. There is a pause before the second.
  commands = {
    "-c", "SELECT length(pg_sleep(0.3)::text), repeat('x', 65536)",
    "-c", "\\! sleep 1",
    "-c", "SELECT 1",
  },
}

function postgres.server()
  return { "sh", "-c", START, as = "nobody", cwd = "/tmp", name = "server" }
end

-- Returns the audit of a client. `plan` has its fields, such as `title` and `client`.
function postgres.audit(plan)
  plan.server = postgres.server()
  plan.port = 5432
  plan.ready = { prints = "ready to accept connections", within = 240 }
  return audit(plan)
end

return postgres
