-- An HTTP server that the script plays: dnc prints the requests, and the script types the answers.
-- The server does nothing else, so a scenario is about the client alone.
local http = {}

-- Waits until the server has read a request and its kernel has acknowledged it: the client now
-- waits for the answer, and has no unacknowledged data.
function http.expect_request(lab, server)
  lab:expect(server):prints "\r\n\r\n"
  return lab:expect_packet("kodos > kang", "ACK only", { fate = "delivered" })
end

function http.answer(server, body)
  server:type("HTTP/1.1 200 OK\r\nContent-Length: " .. #body .. "\r\n\r\n" .. body)
end

-- Answers the next request. A client may take long to start.
function http.serve(lab, server, body)
  lab:expect(server):within(20):prints "\r\n\r\n"
  http.answer(server, body)
end

-- Expects that the client prints the answer to its request.
function http.expect_answer(lab, client, server, body)
  http.serve(lab, server, body)
  lab:expect(client):prints(body)
end

-- Returns the server that runs after a power cycle of its host. It may take seconds to start. If a
-- client connects meanwhile, its SYN waits until the server listens.
function http.power_cycle(lab, host)
  local wait = lab:hold("* > " .. host:name(), "SYN")
  host:power_cycle()
  local server = host:dnc("-l", 8080)
  wait:remove()
  return server
end

return http
