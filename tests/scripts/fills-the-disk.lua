return {
  title = "A timeline larger than the disk",
  asks = "Is it refused in one clear line?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    kang:unplug()
    kodos:unplug()
    for _ = 1, 1000 do lab:say(string.rep("x", 10000)) end
  end,
}
