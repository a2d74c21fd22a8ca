-- PyMySQL as it is: 10 s for connecting.
-- Packages: python3-pymysql, mariadb-server-core
local mariadb = include "servers/mariadb.lib.lua"
local CLIENT = [[
import pymysql, time
connection = pymysql.connect(host="SERVER", user="root")
cursor = connection.cursor()
cursor.execute("SELECT SLEEP(0.3), REPEAT('x', 65536)")
print(len(cursor.fetchone()[1]), flush=True)
time.sleep(1)
cursor.execute("SELECT 1")
print(cursor.fetchone(), flush=True)
]]

return mariadb.audit {
  title = "PyMySQL",
  needs = { "program /usr/bin/python3" },
  client = { "/usr/bin/python3", "-c", CLIENT },
}
