return {
  title = "A program that is not installed",
  asks = "Is the run skipped with the reason?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:power_off()
    kang:run("no-such-program-anywhere")
  end,
}
