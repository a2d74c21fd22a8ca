-- Returns a client in TIME_WAIT, and its server, which has forgotten the connection. The server has
-- sent "the only data", and the client has closed first. `sysctls` are those of both hosts.
return function(lab, sysctls)
  local client, server = lab:connected {
    sysctls = sysctls,
    client = { "--on-stdin-eof", "close" },
    server = { "--on-stdin-eof", "close" },
  }
  lab:expect(client):call("poll"):is_entered()
  server:type "the only data\n"
  lab:expect(client):prints "the only data"
  client:close_stdin()
  lab:expect(client):in_state "FIN_WAIT2"
  lab:expect(server):call("read"):returns(0)
  server:close_stdin()
  lab:expect(client):in_state "TIME_WAIT"
  lab:expect(server):in_state "CLOSED"
  return client, server
end
