-- A Java program waits for an answer on a socket, and its server loses its power. Each case sets
-- what Java has for that.
local wait = include "wait.lib.lua"
local CLIENT = [[
import java.net.*;
import jdk.net.ExtendedSocketOptions;

class Client {
  public static void main(String[] arguments) throws Exception {
    var server = new Socket();
    server.connect(new InetSocketAddress("kodos", 8080), 10000);
    if (arguments[0].equals("timeout")) server.setSoTimeout(Integer.parseInt(arguments[1]));
    if (arguments[0].equals("keepalive")) {
      server.setKeepAlive(true);
      server.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 1);
      server.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, 1);
      server.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 3);
    }
    System.out.println("ready");
    System.in.read();
    try {
      while (server.getInputStream().read() >= 0) {}
    } catch (java.io.IOException error) {
      System.out.println("failed: " + error);
    }
  }
}
]]
local TIMEOUT = 1

return {
  title = "A Java program reads from a server that loses its power",
  asks = "Which settings of Java end a read that would hang in socketRead0?",
  source = "microsoftgraph/msgraph-sdk-java#166: by default, a call gets stuck when the network "
    .. "goes down; JDK: Socket.setSoTimeout, jdk.net.ExtendedSocketOptions",
  tags = { "clients", "power", "keepalive" },
  needs = { "program java" },
  cases = {
    {
      name = "default",
      title = "Java without settings: its server loses its power",
      here = "None: the claim holds. The thread reads for as long as the program lives. Java 17, "
        .. "measured on Linux 6.18.",
      why = "Java sets no timeout and no keepalive by default, and the client has nothing to send.",
      expect = function(lab, client)
        lab:never(client, 4):notices()
        lab:expect(client):still_runs()
      end,
    },
    {
      name = "timeout",
      title = "Java with setSoTimeout: its server loses its power",
      here = "setSoTimeout, 1 s here: SocketTimeoutException, \"Read timed out\". Java 17, "
        .. "measured on Linux 6.18.",
      why = "Java waits in poll with this timeout. It limits one read, not the whole answer.",
      expect = function(lab, client)
        local poll = lab:expect(client):times_out()
        lab:expect_time(poll.t - poll.entered, TIMEOUT, "setSoTimeout")
        lab:expect(client):prints "Read timed out"
      end,
    },
    {
      name = "keepalive",
      title = "Java with keepalive options: its server loses its power",
      here = "TCP_KEEPIDLE, TCP_KEEPINTERVAL and TCP_KEEPCOUNT of jdk.net.ExtendedSocketOptions, "
        .. "together with setKeepAlive: 4 s here. read fails with ETIMEDOUT. Java 17, measured on "
        .. "Linux 6.18.",
      why = "These are the socket options of tcp(7). Java has none for TCP_USER_TIMEOUT.",
      expect = function(lab, client, heard)
        local limit = lab:timer("keepalive_timeout", client)
        wait.until_it_gives_up(lab, client, heard, limit)
        lab:expect(client):prints "Connection timed out"
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    kang:file("/tmp/Client.java", CLIENT)
    local client = kang:run {
      "java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", -- start sooner
      "/tmp/Client.java", case.name, 1000 * TIMEOUT, name = "client",
    }
    lab:expect(client):within(40):prints "ready"
    lab:expect(server):call("accept"):returns()
    server:type "hello\n" -- the last segment from the server
    local heard = lab:expect_packet("kodos > kang", "data", { fate = "delivered" })
    lab:expect_packet("kang > kodos", "ACK only", { fate = "delivered" })
    kodos:power_off()
    client:type "\n"
    case.expect(lab, client, heard)
  end,
}
