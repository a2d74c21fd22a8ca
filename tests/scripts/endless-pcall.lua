return {
  title = "A script that loops inside pcall",
  asks = "Is it refused in one clear line?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    while kang ~= kodos do pcall(function() while true do kodos = kodos end end) end
  end,
}
