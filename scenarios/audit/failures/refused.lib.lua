-- The server's host runs, and nothing listens on the port.
return {
  name = "refused",
  title = "refused",
  sides = { "path" },
  stays = true,
  moments = { "before-connect" },
  begin = function(cell) cell.server:kill() end,
}
