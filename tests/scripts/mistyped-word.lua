return {
  title = "A packet word that is none",
  asks = "Is the nearest word suggested?",
  tags = { "trust" },
  run = function(lab)
    lab:pair()
    lab:expect_packet("kodos > kang", "keepalive prob")
  end,
}
