-- What scenarios of clients wait for: the start of a program, and when it gives up.
local wait = {}

-- Waits until a program prints "ready". Skips the scenario if it prints the text `missing` instead,
-- because `what` is not installed. Compiling one in Go or Java takes minutes on a busy machine.
function wait.until_ready(lab, program, missing, what)
  local outcome = lab:first {
    ready = program:prints "ready", missing = program:prints(missing), within = 300,
  }
  if outcome == "missing" then lab:skip(what .. " is not installed") end
  lab:check(outcome == "ready", "the program is ready", outcome)
end

-- Waits until a compiler has ended. Skips the scenario if it ends with the status `missing`,
-- because `what` is not installed.
function wait.until_compiled(lab, compiler, missing, what)
  local outcome = lab:first {
    compiled = compiler:exits(0), missing = compiler:exits(missing), within = 300,
  }
  if outcome == "missing" then lab:skip(what .. " is not installed") end
  lab:check(outcome == "compiled", "the program is compiled", outcome)
end

-- Expects that a call of the program fails with ETIMEDOUT, `limit` seconds after the event `since`.
-- Ask lab:timer for the limit before the failure: retransmissions change the RTO. The options are
-- `tolerance`, and `call`, which is recv by default.
function wait.until_it_gives_up(lab, program, since, limit, options)
  local call = options and options.call or "recv"
  local notice = lab:expect(program):within(2 * limit):call(call):fails "ETIMEDOUT"
  lab:expect_time(notice.t - since.t, limit, "giving up",
    { tolerance = options and options.tolerance })
end

return wait
