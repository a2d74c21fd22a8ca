return {
  name = "loss-5",
  title = "5 % loss",
  sides = { "path" },
  keeps_connection = true,
  begin = function(cell) cell.lab:lose { probability = 0.05, seed = cell.seed } end,
}
