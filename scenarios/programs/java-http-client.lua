-- Java's HttpClient keeps its connection open. It repeats a GET whose connection breaks.
local http = include "http.lib.lua"
local expect_acknowledged = include "acknowledged.lib.lua"
local expect_reset = include "reset.lib.lua"
local gives_up = include "gives_up.lib.lua"
local CLIENT = [[
import java.net.URI;
import java.net.http.*;
import java.util.Scanner;

class Client {
  public static void main(String[] arguments) throws Exception {
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    var request = HttpRequest.newBuilder(URI.create("http://kodos:8080/")).build();
    System.out.println("ready");
    var lines = new Scanner(System.in);
    while (lines.hasNextLine()) {
      lines.nextLine();
      try {
        System.out.println(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
      } catch (java.io.IOException error) {
        System.out.println(error);
      }
    }
  }
}
]]

return {
  title = "Java's HttpClient on an idle connection",
  asks = "What does a Java program learn when its next request finds the server gone?",
  source = "java.net.http, jdk.httpclient.enableAllMethodRetry; MultiExchange.java",
  tags = { "programs", "power" },
  needs = { "program java" },
  cases = {
    {
      name = "power-off",
      title = "Java's HttpClient: the server lost its power while the connection was idle",
      here = "Nothing until the kernel has given up twice: on the request (15 minutes by default), "
        .. "and then on a new connection (134 s). The program gets a ConnectException, and the "
        .. "ETIMEDOUT of its request is lost. Java 17, measured on Linux 6.18.",
      why = "HttpClient has no timeout of its own and sets no socket option. read fails with "
        .. "ETIMEDOUT. HttpClient then repeats the request, because GET is idempotent.",
      run = function(lab, client, kodos)
        kodos:power_off()
        gives_up.expect_on_request(lab, client, "get\n")
        gives_up.expect_on_connect(lab, client)
        lab:expect(client):prints "ConnectException"
      end,
    },
    {
      name = "power-cycle",
      title = "Java's HttpClient: the server got a power cycle while the connection was idle",
      here = "Nothing: the program gets its answer. read fails with ECONNRESET, and HttpClient "
        .. "sends the request again on a new connection. Java 17, measured on Linux 6.18.",
      why = "The new kernel answers the request with a RST. HttpClient repeats a GET once its "
        .. "connection breaks before an answer begins.",
      run = function(lab, client, kodos)
        local server = http.power_cycle(lab, kodos)
        client:type "get\n"
        expect_reset(lab, client)
        lab:expect(client):call("connect"):fails "EINPROGRESS"
        http.expect_answer(lab, client, server, "second answer")
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    kang:file("/tmp/Client.java", CLIENT)
    local client = kang:run("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
      "-XX:-UsePerfData", "--source", 17, "/tmp/Client.java")
    client:type "get\n"
    if not lab:await(client, 60):prints "ready" then
      lab:skip "this Java cannot run a source file: it needs a JDK of version 17 or newer"
    end
    http.expect_answer(lab, client, server, "first answer")
    lab:expect(client):call("send"):returns()
    expect_acknowledged(lab, kodos, kang)
    case.run(lab, client, kodos)
  end,
}
