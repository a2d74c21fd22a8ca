-- A monitor asks its PostgreSQL server a short query now and then, with psycopg2. It sets
-- statement_timeout, because it must not wait long.
local postgres = include "postgres.lib.lua"
local wait = include "wait.lib.lua"
local STATEMENT_TIMEOUT = 0.5
local OPTIONS = "options='-c statement_timeout=" .. 1000 * STATEMENT_TIMEOUT .. "'"
local CLIENT = [[
import sys
try:
    import psycopg2
except ModuleNotFoundError as error:
    sys.exit(print(error))
server = psycopg2.connect("host=kodos user=postgres " + sys.argv[1])
server.autocommit = True
print("ready", flush=True)
for line in sys.stdin:
    try:
        cursor = server.cursor()
        cursor.execute(line)
        print("answer:", cursor.fetchall(), flush=True)
    except psycopg2.Error as error:
        print(type(error).__name__, error, flush=True)
]]

local function expect_loss(lab, client, kodos, timer)
  local limit = lab:timer(timer, client)
  kodos:power_off()
  client:type "SELECT current_user\n"
  local query = lab:expect_packet("kang > kodos", "data")
  lab:check(limit > 2 * STATEMENT_TIMEOUT, "statement_timeout is over long before", limit)
  wait.until_it_gives_up(lab, client, query, limit)
  lab:expect(client):prints "OperationalError"
end

return {
  title = "psycopg2 with statement_timeout",
  asks = "Does statement_timeout limit how long a client of PostgreSQL waits?",
  source = "psycopg/psycopg2#1017: execute() hangs for 8 minutes in spite of a statement_timeout "
    .. "of 5 s, when the server's hardware fails",
  tags = { "clients", "power", "postgres" },
  needs = { "root", "program /usr/bin/python3" },
  cases = {
    {
      name = "power-off",
      title = "psycopg2 with statement_timeout: the server loses its power",
      here = "No: the hang of the claim holds. recv fails with ETIMEDOUT when the kernel gives up "
        .. "on the query: after 15 minutes by default. What ended the wait of the thread after 8 "
        .. "minutes is not known. psycopg2 2.9, measured on Linux 6.18.",
      why = "statement_timeout is a timer of the server, and the server is off. libpq has no timer "
        .. "of its own for a query. The query is never acknowledged, so tcp_retries2 decides.",
      run = function(lab, client, kodos)
        expect_loss(lab, client, kodos, "r2")
      end,
    },
    {
      name = "power-off-user-timeout",
      settings = " tcp_user_timeout=1500",
      title = "psycopg2 with tcp_user_timeout: the server loses its power",
      here = "No, but tcp_user_timeout does: 1.5 s here. psycopg2 2.9, measured on Linux 6.18.",
      why = "The query is unacknowledged. tcp_user_timeout replaces tcp_retries2.",
      run = function(lab, client, kodos)
        expect_loss(lab, client, kodos, "user_timeout")
      end,
    },
    {
      name = "slow-query",
      title = "psycopg2 with statement_timeout: the query is slow",
      here = "Yes: after statement_timeout, 0.5 s here, the server cancels the query and says so. "
        .. "psycopg2 2.9, measured on Linux 6.18.",
      why = "This is the failure that statement_timeout is for: the server is alive and busy.",
      run = function(lab, client)
        client:type "SELECT pg_sleep(60)\n"
        local query = lab:expect_packet("kang > kodos", "data")
        local notice = lab:expect(client):prints "QueryCanceled"
        lab:expect_time(notice.t - query.t, STATEMENT_TIMEOUT, "statement_timeout")
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    postgres.start(lab, kodos)
    local client = kang:run("/usr/bin/python3", "-c", CLIENT, OPTIONS .. (case.settings or ""))
    wait.until_ready(lab, client, "No module", "the Python module psycopg2")
    postgres.expect_idle(lab, kang, kodos)
    case.run(lab, client, kodos)
  end,
}
