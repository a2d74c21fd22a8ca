return {
  title = "An invalid filter",
  asks = "Is it refused in one clear line?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    kang:dnc("-l", 8080)
    lab:expect_packet("kodos > kang", "tcp[[[")
  end,
}
