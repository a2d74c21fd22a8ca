-- pgbouncer keeps connections to a PostgreSQL server for its clients. The server's host loses its
-- power, and then a client of pgbouncer sends a query.
local postgres = include "postgres.lib.lua"
local CONFIGURATION = [[
[databases]
* = host=kodos port=5432 user=postgres
[pgbouncer]
listen_addr = *
listen_port = 6432
unix_socket_dir =
auth_type = any
tcp_keepalive = 1
tcp_keepidle = 1
tcp_keepintvl = 1
tcp_keepcnt = 1
]]

return {
  title = "pgbouncer and a PostgreSQL server that is gone",
  asks = "When does pgbouncer drop the connection to a server without power?",
  source = "pgbouncer/pgbouncer#138: with the network dropping all packets, pgbouncer keeps a "
    .. "stuck connection as long as tcp_retries2 says, although keepalive is configured",
  tags = { "clients", "power", "keepalive", "postgres", "proxy" },
  needs = { "root", "program pgbouncer", "program psql" },
  cases = {
    {
      name = "keepalive",
      -- pgbouncer has a connection to its client, too, so "r2" would not know which one is meant.
      limits = function(lab, krusty)
        local limit = lab:timer("r2_limit", krusty)
        return limit, 2.5 * limit
      end,
      title = "pgbouncer with keepalive: the server loses its power",
      here = "When the kernel gives up on the query: after 15 minutes by default. The claim holds: "
        .. "keepalive, which should need 2 s here, does not help. The client waits as long, and "
        .. "gets \"server conn crashed?\". pgbouncer 1.18, measured on Linux 6.18.",
      why = "The query is unacknowledged, so keepalive does not run. tcp_retries2 decides.",
    },
    {
      name = "user-timeout",
      limits = function(lab, _, pgbouncer)
        return 1.5, lab:timer("user_timeout", pgbouncer)
      end,
      settings = "tcp_user_timeout = 1500\n",
      title = "pgbouncer with tcp_user_timeout: the server loses its power",
      here = "After tcp_user_timeout, 1.5 s here: the setting that the thread asks for helps. "
        .. "pgbouncer 1.18, measured on Linux 6.18.",
      why = "pgbouncer sets TCP_USER_TIMEOUT on its connections to the servers, too. It replaces "
        .. "tcp_retries2.",
    },
  },

  run = function(lab, case)
    local kang, krusty, kodos = lab:hosts({ "kang", "krusty", "kodos" }, {
      sysctls = { ["net.ipv4.tcp_retries2"] = 3 },
    })
    postgres.start(lab, kodos)
    krusty:file("/tmp/pgbouncer.ini", CONFIGURATION .. (case.settings or ""))
    local pgbouncer = krusty:service {
      "pgbouncer", "/tmp/pgbouncer.ini", as = "nobody", ready = { port = 6432 },
    }
    local client = kang:run("psql", "-X", "host=krusty port=6432 user=postgres", { watch = false })
    client:type "SELECT 'con' || 'nected';\n"
    lab:expect(client):within(20):prints "connected"
    postgres.expect_idle(lab, krusty, kodos)

    kodos:power_off()
    client:type "SELECT 1;\n"
    local query = lab:expect_packet("krusty > kodos", "data")
    local earliest, latest = case.limits(lab, krusty, pgbouncer)
    local notice = lab:expect(pgbouncer):within(2 * latest):call("recv"):fails "ETIMEDOUT"
    lab:expect_between(notice.t - query.t, earliest, latest, "giving up on the query")
    lab:expect(client):prints "server conn crashed?"
  end,
}
