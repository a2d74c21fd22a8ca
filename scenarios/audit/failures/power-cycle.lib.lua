return {
  name = "power-cycle",
  title = "power cycle",
  sides = { "server", "client" },
  stops_program = true,
  begin = function(cell) cell.victim:power_cycle() end,
}
