return {
  title = "A script that uses more and more memory",
  asks = "Is it refused in one clear line?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local eaten = { kang, kodos }
    while true do eaten[#eaten + 1] = string.rep("x", 1000000) .. #eaten end
  end,
}
