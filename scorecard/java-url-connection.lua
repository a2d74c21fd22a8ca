-- Java's older HttpURLConnection as it is. Two requests on one connection, with a pause between
-- them.
-- Packages: default-jdk-headless
local http = include "servers/http.lib.lua"
local CLIENT = [[
import java.net.*;

class Client {
  public static void main(String[] arguments) throws Exception {
    for (int pause : new int[] {1000, 0}) {
      var connection = new URL("http://SERVER/page").openConnection();
      System.out.println(connection.getInputStream().readAllBytes().length);
      Thread.sleep(pause);
    }
  }
}
]]

return http.audit {
  title = "Java HttpURLConnection",
  needs = { "program java" },
  prepare = function(cell)
    local text = CLIENT:gsub("SERVER", "server")
    cell.client_host:file("/tmp/Client.java", text)
  end,
  client = {
    "java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "/tmp/Client.java", "SERVER",
  },
}
