-- The JDBC driver of PostgreSQL as it is: 10 s for connecting.
-- Packages: default-jdk-headless, libpostgresql-jdbc-java, postgresql-15
local postgres = include "servers/postgres.lib.lua"
local CLIENT = [[
import java.sql.*;

class Client {
  public static void main(String[] arguments) throws Exception {
    String url = "jdbc:postgresql://SERVER/postgres";
    var connection = DriverManager.getConnection(url, "postgres", "");
    var statement = connection.createStatement();
    for (String query : new String[] {"SELECT length(pg_sleep(0.3)::text)", "SELECT 1"}) {
      var rows = statement.executeQuery(query);
      rows.next();
      System.out.println(rows.getInt(1));
      Thread.sleep(query.equals("SELECT 1") ? 0 : 1000);
    }
  }
}
]]

return postgres.audit {
  title = "JDBC for PostgreSQL",
  needs = { "program java" },
  prepare = function(cell)
    local text = CLIENT:gsub("SERVER", "server")
    cell.client_host:file("/tmp/Client.java", text)
  end,
  client = {
    "java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", "/usr/share/java/postgresql.jar",
    "/tmp/Client.java", "SERVER",
  },
}
