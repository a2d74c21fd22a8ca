return {
  name = "loss-30",
  title = "30 % loss",
  sides = { "path" },
  keeps_connection = true,
  begin = function(cell) cell.lab:lose { probability = 0.3, seed = cell.seed } end,
}
