return {
  title = "A port that is taken",
  asks = "Is it refused in one clear line?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    kodos:dnc("-l", 8080)
    kang:power_off()
  end,
}
