-- Starts the program probe.py of the working folder, which prints what it could do, and env(1).
return {
  title = "What a program can do to the machine",
  asks = "Which parts of the machine can a program reach?",
  tags = { "trust" },
  needs = { "program python3", "program env" },
  run = function(lab)
    local kang = lab:pair()
    local probe = kang:run("python3", "probe.py")
    lab:expect(probe):within(30):exits(0)
    lab:expect(kang:run "env"):exits(0)
  end,
}
