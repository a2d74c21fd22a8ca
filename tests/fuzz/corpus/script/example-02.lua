return {
  title = "Says all there is to say",
  asks = "Which fields may a scenario have?",
  source = "docs/scenarios.md",
  article = "It saw nothing of this kind.",
  here = "It loads.",
  why = "Each field is one of the known ones, and of the right type.",
  tags = { "tutorial", "metadata" },
  families = { 4 },
  needs = { "kernel 5.10", "program sh", "sysctl net.ipv4.tcp_retries2" },
  run = function(lab)
    lab:say("this runs on IPv" .. lab.family .. " with " .. lab.timers .. " timers")
  end,
}
