-- A program writes without end for some seconds; then the run has nothing to do. Tests watch the
-- run's priority.
return {
  title = "Floods, then rests",
  asks = "Does a run with much to do keep its real-time priority?",
  tags = { "trust" },
  run = function(lab)
    local kang = lab:pair()
    local loud = kang:run("yes")
    lab:wait(2)
    loud:kill()
    lab:expect(loud):killed_by "SIGKILL"
    lab:wait(5) -- a run at rest measures its use of the processor about once a second
  end,
}
