return {
  name = "unplugged-10-s",
  title = "unplugged for 10 s",
  sides = { "server", "client" },
  keeps_connection = true,
  lasts = 10,
  begin = function(cell) cell.victim:unplug() end,
  finish = function(cell) cell.victim:plug() end,
}
