-- A PostgreSQL server that trusts everybody, as in ../programs: a scenario includes only files of
-- its own folder. Without root the server does not run. Debian has its programs outside PATH.
local postgres = {}

-- Without autovacuum, which starts a process every minute, a wait of two hours takes a third of the
-- time on a kernel host.
local START = [[
newest=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
PATH=${newest:+$newest:}$PATH
command -v initdb >/dev/null || { echo "there is no server"; exit 0; }
initdb --no-sync --no-locale --wal-segsize 1 --username postgres /tmp/data >/dev/null || exit
echo "host all all all trust" >/tmp/data/pg_hba.conf
exec postgres -D /tmp/data -c listen_addresses="*" -c unix_socket_directories= -c fsync=off \
  -c autovacuum=off "$@"
]]

-- The server's settings are texts such as "tcp_keepalives_idle=1". Without one, the server's
-- keepalive comes after 2 hours, as by default: scenarios here are about clients.
function postgres.start(lab, host, ...)
  host:sysctl("net.ipv4.tcp_keepalive_time", 7200)
  local command = { "sh", "-c", START, "postgres", name = "postgres", as = "nobody", watch = false }
  for _, setting in ipairs { ... } do
    table.insert(command, "-c")
    table.insert(command, setting)
  end
  local server = host:run(command)
  local outcome = lab:first {
    ready = server:prints "ready to accept connections",
    missing = server:prints "there is no server",
    within = 60,
  }
  if outcome == "missing" then lab:skip "the PostgreSQL server is not installed" end
  lab:check(outcome == "ready", "the PostgreSQL server accepts connections", outcome)
end

-- Waits until a server's kernel has acknowledged all that its client sent. Returns the packet.
function postgres.expect_acknowledged(lab, client_host)
  return lab:expect_packet("* > " .. client_host:name(), "tcp",
    { ack = lab:connection(client_host).snd_nxt, fate = "delivered" })
end

-- Waits until the client's kernel has acknowledged all that the server sent, too.
function postgres.expect_idle(lab, client_host, server_host)
  postgres.expect_acknowledged(lab, client_host)
  lab:expect_packet(client_host:name() .. " > *", "tcp",
    { ack = lab:connection(server_host).snd_nxt, fate = "delivered" })
end

return postgres
