-- Writes without end, and starts programs and adds faults. For runs with limits.
return {
  title = "Uses too much",
  asks = "Which limits does a run have?",
  tags = { "trust" },
  run = function(lab)
    local kang = lab:pair()
    local loud = kang:run("yes")
    for _ = 1, 20 do
      lab:lose("kang > kodos", "udp")
      kang:run("true")
    end
    lab:expect(loud):within(60):exits()
  end,
}
