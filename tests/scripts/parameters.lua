-- Prints the parameters that the run was given.
return {
  title = "Parameters",
  asks = "What does --set give to a script?",
  tags = { "test" },
  run = function(lab)
    lab:say("size is " .. (lab:parameter "size" or "not given"))
    lab:say("text is " .. (lab:parameter "text" or "not given"))
  end,
}
