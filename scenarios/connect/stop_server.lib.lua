-- Stops a server without SO_REUSEADDR that has a connection. The server's end closes first, so the
-- connection is in TIME_WAIT on its host.
return function(lab, kang, kodos)
  local client, server = lab:connect(kang, kodos, {
    client = { "--on-stdin-eof", "close" }, server = { "--no-reuse-address" },
  })
  server:stop "SIGINT"
  lab:expect(server):in_state "FIN_WAIT2"
  lab:expect(client):call("read"):returns(0)
  client:close_stdin()
  lab:expect(server):killed_by "SIGINT"
  lab:expect(client):exits(0)
  lab:expect(server):in_state "TIME_WAIT"
end
