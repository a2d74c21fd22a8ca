-- The mariadb client as it is.
-- Packages: mariadb-client-core, mariadb-server-core
local mariadb = include "servers/mariadb.lib.lua"

return mariadb.audit {
  title = "mariadb",
  needs = { "program mariadb" },
  client = {
    "mariadb", "--no-defaults", "-h", "SERVER", "-N", "-e",
    mariadb.slow .. "; system sleep 1; SELECT 1",
  },
}
