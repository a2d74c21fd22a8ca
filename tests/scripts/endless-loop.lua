return {
  title = "A script that never ends",
  asks = "Is it refused in one clear line?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local turns = 0
    while kang ~= kodos do turns = turns + 1 end
  end,
}
