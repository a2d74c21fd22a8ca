-- Starts the program attempts.py of the working folder, which prints what it could do. Afterwards
-- the host still works, and env(1) prints what programs find in their environment.
return {
  title = "What a program can do to the machine",
  asks = "Which parts of the machine can a program reach?",
  tags = { "trust" },
  needs = { "program python3", "program env" },
  run = function(lab)
    local kang = lab:pair()
    local probe = kang:run("python3", "attempts.py")
    lab:expect(probe):within(60):exits(0)
    -- It may be the root of a user namespace of its own.
    local other = kang:run{ "python3", "attempts.py", "as another root", user_namespaces = true }
    lab:expect(other):within(60):exits(0)
    lab:expect(kang:run "env"):within(20):exits(0)
  end,
}
