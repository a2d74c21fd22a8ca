return {
  name = "cut-to-client",
  title = "no packets to the client",
  sides = { "path" },
  stays = true,
  begin = function(cell) cell.lab:cut "* > client" end,
}
