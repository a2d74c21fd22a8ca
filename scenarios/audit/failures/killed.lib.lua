-- SIGKILL. The kernel of the host lives on, and closes the connections.
return {
  name = "killed",
  title = "process killed",
  sides = { "server", "client" },
  stays = true,
  stops_program = true,
  begin = function(cell) cell.program:kill() end,
}
