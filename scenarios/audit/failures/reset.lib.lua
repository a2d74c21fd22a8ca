-- Something on the path sends a RST to both ends. New connections pass.
return {
  name = "reset",
  title = "RST to both",
  sides = { "path" },
  needs_connection = true,
  begin = function(cell)
    cell.lab:connection(cell.client_host):rst()
    cell.lab:connection(cell.server_host):rst()
  end,
}
