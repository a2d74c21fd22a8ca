-- A PostgreSQL server. It does not run as root. Debian and Ubuntu have its programs outside PATH.
-- By default, its data are in the /tmp of its host: a power cycle loses them, a restart does not.
local expect_acknowledged = include "acknowledged.lib.lua"
local postgres = {}

local NO_SERVER = 3
local FIND = [[
newest=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
PATH=${newest:+$newest:}$PATH
]]
-- initdb takes 0.4 s of processor time, because nothing is synced to the disk. Small files of the
-- write-ahead log save 11 of 39 MB.
local INITDB = FIND .. [[
command -v initdb >/dev/null || exit "$0"
[ -d "$PGDATA" ] && exit
initdb --no-sync --no-locale --wal-segsize 1 --username postgres >/dev/null || exit
echo "host all all all trust" >"$PGDATA/pg_hba.conf"
]]
-- Without autovacuum, which starts a process every minute, a wait of two hours takes a third of the
-- time on a kernel host.
local START = FIND .. [[
exec postgres -c listen_addresses="*" -c unix_socket_directories= -c fsync=off \
  -c autovacuum=off "$@"
]]

-- The server's settings are texts such as "tcp_keepalives_idle=1". `folder` is where its data are.
-- initdb is never watched: to record its 60,000 calls takes nine seconds on a host with its own
-- kernel.
function postgres.start(lab, host, settings, watch, folder)
  local env = { PGDATA = folder or "/tmp/data" }
  local initdb = host:run {
    "sh", "-c", INITDB, NO_SERVER, name = "initdb", as = "nobody", watch = false, env = env,
  }
  local outcome = lab:first {
    done = initdb:exits(0), missing = initdb:exits(NO_SERVER), within = 60,
  }
  if outcome == "missing" then lab:skip "the PostgreSQL server is not installed" end
  lab:check(outcome == "done", "initdb makes a database", outcome)
  local command = {
    "sh", "-c", START, "postgres", name = "postgres", as = "nobody", watch = watch or false,
    env = env,
  }
  for _, setting in ipairs(settings or {}) do
    table.insert(command, "-c")
    table.insert(command, setting)
  end
  local server = host:run(command)
  lab:expect(server):within(60):prints "ready to accept connections"
  return server
end

-- Returns a psql that is connected. `settings` are those of libpq.
function postgres.connect(lab, host, settings, options)
  local where = "host=kodos user=postgres " .. (settings or "")
  local command = { "psql", "-X", "-P", "pager=off", where, env = { LC_ALL = "C" } }
  for name, value in pairs(options or {}) do command[name] = value end
  local client = host:run(command)
  client:type "SELECT 'con' || 'nected';\n"
  lab:expect(client):within(20):prints "connected"
  return client
end

-- Sends a query that runs for longer than the scenario. Returns the packet with which the server
-- acknowledges it.
function postgres.start_query(lab, client, client_host, server_host)
  client:type "SELECT pg_sleep(60);\n"
  lab:expect_packet(client_host:name() .. " > " .. server_host:name(), "data")
  return expect_acknowledged(lab, client_host, server_host, "ACK only")
end

return postgres
