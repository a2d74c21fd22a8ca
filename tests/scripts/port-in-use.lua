return {
  title = "A port in use",
  asks = "Is the failed program named as the reason?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    kodos:dnc("-l", 8080)
    kang:power_off()
  end,
}
