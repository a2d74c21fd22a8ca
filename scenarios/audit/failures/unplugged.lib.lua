return {
  name = "unplugged",
  title = "unplugged",
  sides = { "server", "client" },
  stays = true,
  begin = function(cell) cell.victim:unplug() end,
}
