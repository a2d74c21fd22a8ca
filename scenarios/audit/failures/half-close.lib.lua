-- The server's kernel does not know of the FIN, so it ignores what acknowledges it: how the server
-- ends the connection would tell nothing.
-- The client reads the end of the stream, while the server's end of the connection stays open.
return {
  name = "half-close",
  title = "half-close",
  sides = { "path" },
  needs_connection = true,
  fools_server = true,
  begin = function(cell) cell.lab:connection(cell.client_host):fin() end,
}
