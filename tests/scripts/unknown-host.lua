return {
  title = "An unknown host",
  asks = "Is it refused in one clear line?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    lab:lose("kang > krusty", "tcp")
    kodos:power_off()
  end,
}
