-- A Node program sends a request on an idle connection just when the server closes it: the FIN is
-- still on its way.
local CLIENT = [[
const http = require("http");
const agent = new http.Agent({ keepAlive: true });
const retry = process.argv[1] === "retry";
function ask() {
  const request = http.get("http://kodos:8080/", { agent },
    (answer) => answer.pipe(process.stdout));
  request.on("error", (error) => {
    if (retry && request.reusedSocket && error.code === "ECONNRESET") return ask();
    console.log("failed:", error.code);
  });
}
require("readline").createInterface({ input: process.stdin }).on("line", ask);
]]

local function serve(lab, server, body)
  lab:expect(server):within(20):prints "\r\n\r\n"
  server:type("HTTP/1.1 200 OK\r\nContent-Length: " .. #body .. "\r\n\r\n" .. body)
end

return {
  title = "Node sends a request while the server closes the idle connection",
  asks = "What does a Node program see when its request crosses the FIN of its server?",
  source = "nodejs/node#35526, #47130: a request fails with ECONNRESET if its time is close to the "
    .. "server's keep-alive timeout, and Node does not repeat it",
  tags = { "clients", "programs" },
  needs = { "program node" },
  cases = {
    {
      name = "default",
      title = "Node without a retry: its request crosses the FIN of its server",
      here = "ECONNRESET: the claim holds. Node 20 does not repeat the request, although it is a "
        .. "GET and another server is there. Measured on Linux 6.18.",
      why = "The server's program has closed the connection, so its kernel answers the request "
        .. "with a RST. Keep connections for less time than the server does.",
      expect = function(lab, client, server)
        lab:expect(client):prints "failed: ECONNRESET"
        lab:never(server, 0.3):call("accept"):returns()
      end,
    },
    {
      name = "retry",
      title = "Node with a retry for reused sockets: its request crosses the FIN of its server",
      here = "Its answer: request.reusedSocket tells the program that the connection was an old "
        .. "one, so it sends the request again. Node 20, measured on Linux 6.18.",
      why = "A RST before any byte of an answer usually means that nobody read the request. Only "
        .. "the program knows whether it may run twice.",
      expect = function(lab, client, server)
        serve(lab, server, "second answer")
        lab:expect(client):prints "second answer"
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:run("node", "-e", CLIENT, case.name)
    client:type "get\n"
    serve(lab, server, "first answer")
    lab:expect(client):prints "first answer"
    lab:hold("kodos > kang", "FIN")
    server:kill()
    lab:expect_packet("kodos > kang", "FIN", { fate = "held" })
    lab:expect(server):killed_by "SIGKILL"  -- and gives the port back
    local new_server = kodos:dnc("-l", 8080)
    client:type "get\n"
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):call("recv"):fails "ECONNRESET"
    case.expect(lab, client, new_server)
  end,
}
