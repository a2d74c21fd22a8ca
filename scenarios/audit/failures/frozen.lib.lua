-- SIGSTOP. The kernel of the host lives on, and acknowledges what arrives.
return {
  name = "frozen",
  title = "process frozen",
  sides = { "server", "client" },
  stays = true,
  stops_program = true,
  begin = function(cell) cell.program:freeze() end,
}
