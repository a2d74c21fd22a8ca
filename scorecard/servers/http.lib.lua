-- A web server for the scorecard. It answers the first request of a connection after 0.3 s, so that
-- this is the one after which a client waits longest. The answer has 64 kB: a whole transfer.
local audit = include "tcplab/audit/audit.lib.lua"
local SERVER = [[
import socket, threading, time
BODY = b"A page of the scorecard.\n" * 2560
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n" % len(BODY)
def serve(client):
    pause = 0.3
    try:
        while True:
            request = b""
            while not request.endswith(b"\r\n\r\n"):
                piece = client.recv(65536)
                if not piece:
                    return client.close()
                request += piece
            time.sleep(pause)
            pause = 0
            client.sendall(HEAD + BODY)
            if b"\r\nconnection: close\r\n" in request.lower():
                return client.close()
    except OSError:
        client.close()
listener = socket.create_server(("::", 80), family=socket.AF_INET6, dualstack_ipv6=True)
while True:
    threading.Thread(target=serve, args=listener.accept()[:1], daemon=True).start()
]]
local http = { url = "http://SERVER/page" }

-- Returns the audit of a client. `plan` has its fields, such as `title` and `client`.
function http.audit(plan)
  plan.server = { "/usr/bin/python3", "-IS", "-c", SERVER, name = "server" }
  plan.port = 80
  return audit(plan)
end

return http
