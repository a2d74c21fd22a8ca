-- A MariaDB server that trusts everybody. By default it reserves 8 TB of addresses. A program on a
-- kernel host has 512 GB.
local audit = include "tcplab/audit/audit.lib.lua"
local START = [[
mkdir -p /tmp/data/mysql /run/mysqld
exec mariadbd --no-defaults --user=root --datadir=/tmp/data --skip-grant-tables --port=3306 \
  --bind-address=* --socket=/tmp/socket --pid-file=/tmp/pid --skip-log-error \
  --innodb-buffer-pool-size=8M --loose-innodb-buffer-pool-size-max=8M --innodb-log-file-size=4M \
  --innodb-flush-log-at-trx-commit=0
]]
local mariadb = {
  -- It takes 0.3 s, so that a client waits for it longer than for anything else.
  slow = "SELECT SLEEP(0.3), REPEAT('x', 65536)",
}

-- Returns the audit of a client. `plan` has its fields, such as `title` and `client`.
function mariadb.audit(plan)
  plan.server = { "sh", "-c", START, cwd = "/tmp", name = "server" }
  plan.port = 3306
  plan.ready = { prints = "ready for connections", within = 240 }
  plan.needs = { "program mariadbd", table.unpack(plan.needs or {}) }
  return audit(plan)
end

return mariadb
