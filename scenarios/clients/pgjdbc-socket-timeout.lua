-- A Java program waits for the answer to a long query of PostgreSQL. The server has acknowledged
-- the query, and then its host loses its power.
local postgres = include "postgres.lib.lua"
local wait = include "wait.lib.lua"
local SOCKET_TIMEOUT = 2
local JAR = "/usr/share/java/postgresql.jar"
-- The first line of options starts Java faster. The others stop Java's own timers. They run 30
-- times a second: on a kernel host, two hours of that would take half a minute.
local START = [[
[ -e $0 ] || echo missing
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
  -XX:-UsePerfData -XX:+UnlockDiagnosticVMOptions -XX:GuaranteedSafepointInterval=0 \
  -XX:AsyncDeflationInterval=0 -cp $0 /tmp/Client.java "$@"
]]
local CLIENT = [[
import java.sql.*;

class Client {
  public static void main(String[] arguments) throws Exception {
    var url = "jdbc:postgresql://kodos/postgres?user=postgres&" + arguments[0];
    try (var server = DriverManager.getConnection(url); var query = server.createStatement()) {
      query.executeQuery("SELECT 1");
      System.out.println("ready");
      System.in.read();
      query.executeQuery("SELECT pg_sleep(60)");
    } catch (SQLException error) {
      System.out.println("failed: " + error.getMessage() + " " + error.getCause());
    }
  }
}
]]

return {
  title = "JDBC for PostgreSQL waits for an answer, and the server loses its power",
  asks = "When does a Java program learn that its PostgreSQL server is gone?",
  source = "pgjdbc/pgjdbc#1508: threads hang in socketRead0; socketTimeout ends the wait, but also "
    .. "long queries; tcpKeepAlive is off by default",
  tags = { "clients", "power", "keepalive", "postgres" },
  needs = { "root", "program java" },
  cases = {
    {
      name = "default",
      options = "tcpKeepAlive=false",
      title = "JDBC for PostgreSQL with its defaults: the server loses its power",
      here = "Never: the claim holds. The thread waits for as long as the program lives. "
        .. "PostgreSQL's driver 42.5 with Java 17, measured on Linux 6.18.",
      why = "The server acknowledged the query, so there is nothing to retransmit. The driver sets "
        .. "no keepalive and no timeout by default.",
      expect = function(lab, client)
        lab:never(client, 5):notices()
        lab:expect(client):still_runs()
      end,
    },
    {
      name = "keepalive",
      options = "tcpKeepAlive=true",
      title = "JDBC for PostgreSQL with tcpKeepAlive: the server loses its power",
      here = "When the kernel's keepalive probes have gone unanswered: after 2 hours and 11 "
        .. "minutes by default. PostgreSQL's driver 42.5 has no setting for the times, so only "
        .. "sysctls help. Java 17, measured on Linux 6.18.",
      why = "tcpKeepAlive=true sets SO_KEEPALIVE and nothing else.",
      expect = function(lab, client, heard)
        local limit = lab:timer("keepalive_timeout", client)
        wait.until_it_gives_up(lab, client, heard, limit)
        lab:expect(client):prints "Connection timed out"
      end,
    },
    {
      name = "socket-timeout",
      options = "socketTimeout=" .. SOCKET_TIMEOUT,
      title = "JDBC for PostgreSQL with socketTimeout: the server loses its power",
      here = "After socketTimeout, 2 s here: the claim holds. No call fails: poll returns 0. A "
        .. "query that takes longer than that fails, too. PostgreSQL's driver 42.5 with Java 17, "
        .. "measured on Linux 6.18.",
      why = "socketTimeout is Java's timer for one read (Socket.setSoTimeout). It does not know "
        .. "why nothing comes.",
      expect = function(lab, client, heard)
        local failed = lab:expect(client):prints "failed:"
        lab:expect_time(failed.t - heard.t, SOCKET_TIMEOUT, "socketTimeout", { tolerance = 0.3 })
        lab:expect(client):prints "Read timed out"
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    postgres.start(lab, kodos)
    kang:file("/tmp/Client.java", CLIENT)
    local client = kang:run("sh", "-c", START, JAR, case.options, { name = "client" })
    wait.until_ready(lab, client, "missing", "the Java library for PostgreSQL")
    postgres.expect_idle(lab, kang, kodos)
    client:type "\n"
    lab:expect_packet("kang > kodos", "data")
    local heard = postgres.expect_acknowledged(lab, kang)
    kodos:power_off()
    case.expect(lab, client, heard)
  end,
}
