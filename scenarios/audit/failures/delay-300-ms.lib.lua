-- 150 ms in each direction.
return {
  name = "delay-300-ms",
  title = "300 ms delay",
  sides = { "path" },
  keeps_connection = true,
  begin = function(cell) cell.lab:delay { by = 0.15 } end,
}
