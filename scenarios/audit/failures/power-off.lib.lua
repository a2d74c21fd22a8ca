return {
  name = "power-off",
  title = "power off",
  sides = { "server", "client" },
  stays = true,
  stops_program = true,
  begin = function(cell) cell.victim:power_off() end,
}
