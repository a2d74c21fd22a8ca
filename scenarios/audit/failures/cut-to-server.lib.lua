return {
  name = "cut-to-server",
  title = "no packets to the server",
  sides = { "path" },
  stays = true,
  begin = function(cell) cell.lab:cut "client > *" end,
}
