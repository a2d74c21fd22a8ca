return {
  title = "A program that is not installed",
  asks = "Is it refused in one clear line?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:power_off()
    kang:run("no-such-program-anywhere")
  end,
}
