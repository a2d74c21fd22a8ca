-- psycopg 3 as it is.
-- Packages: python3-psycopg, postgresql-15
local postgres = include "servers/postgres.lib.lua"
local CLIENT = [[
import psycopg, time
connection = psycopg.connect("host=SERVER user=postgres")
cursor = connection.cursor()
cursor.execute("SELECT length(pg_sleep(0.3)::text), repeat('x', 65536)")
print(len(cursor.fetchone()[1]), flush=True)
time.sleep(1)
cursor.execute("SELECT 1")
print(cursor.fetchone(), flush=True)
]]

return postgres.audit {
  title = "psycopg 3",
  needs = { "program /usr/bin/python3" },
  client = { "/usr/bin/python3", "-c", CLIENT },
}
