return {
  name = "unplugged-30-s",
  title = "unplugged for 30 s",
  sides = { "server", "client" },
  keeps_connection = true,
  lasts = 30,
  begin = function(cell) cell.victim:unplug() end,
  finish = function(cell) cell.victim:plug() end,
}
