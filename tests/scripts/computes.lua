-- The script computes without end for some seconds; then the run has nothing to do. Tests watch the
-- run's priority. Much output would do as well, but a slow disk would make the run wait.
return {
  title = "Computes, then rests",
  asks = "Does a run with much to do keep its real-time priority?",
  tags = { "trust" },
  run = function(lab)
    lab:pair()
    local over = lab:now() + 4
    while lab:now() < over do
      for _ = 1, 2000000 do end
      lab:wait(0.0001)
    end
    lab:wait(5) -- a run at rest measures its use of the processor about once a second
  end,
}
