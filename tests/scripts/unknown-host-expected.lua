return {
  title = "A packet from an unknown host",
  asks = "Is it refused in one clear line?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:power_off()
    lab:expect_packet("krusty > kang", "tcp")
  end,
}
