-- An HTTP server that the script plays: dnc prints the requests, and the script types the answers.
-- The server does and knows nothing else, so a scenario is about the client alone.
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

return http
