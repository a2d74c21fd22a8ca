-- Java's java.net.http.HttpClient as it is. Two requests on one connection, with a pause between
-- them.
-- Packages: default-jdk-headless
local http = include "servers/http.lib.lua"
local CLIENT = [[
import java.net.URI;
import java.net.http.*;

class Client {
  public static void main(String[] arguments) throws Exception {
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    var request = HttpRequest.newBuilder(URI.create("http://SERVER/page")).build();
    for (int pause : new int[] {1000, 0}) {
      var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      System.out.println(answer.body().length());
      Thread.sleep(pause);
    }
  }
}
]]

return http.audit {
  title = "Java HttpClient",
  needs = { "program java" },
  prepare = function(cell)
    local text = CLIENT:gsub("SERVER", "server")
    cell.client_host:file("/tmp/Client.java", text)
  end,
  client = {
    "java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "/tmp/Client.java", "SERVER",
  },
}
