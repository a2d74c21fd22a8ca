return {
  title = "An unknown verb",
  asks = "Is it refused in one clear line?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    kang:explode(kodos)
  end,
}
