-- The field `after`: a command on the server's host, once the failure is over. Does a client that
-- waits without end react to it? The baseline finds out by what: output, or data that it sends.
local commands = include "commands.lib.lua"

local reaction = {}
local WITHIN = 10  -- seconds: for the command, and then for the client
local STEP = 0.1
local KINDS = { "printed", "printed_error", "sent" }

-- How much the client has written and sent. What it sends is counted from `listen` on, and once.
local function counts(cell)
  return {
    printed = #cell.client:output "stdout",
    printed_error = #cell.client:output "stderr",
    sent = cell.has_sent and 1 or 0,
  }
end

-- Notes the first call that sends data; one that fails sends none.
local function watch_sends(cell)
  cell.lab:when(cell.client:call("send"):returns(), function(call)
    if call.result > 0 then
      cell.has_sent = true
    else
      watch_sends(cell)
    end
  end, { optional = true })
end

-- Begins to watch what the client does.
local function listen(cell)
  cell.has_sent = false
  watch_sends(cell)
  return counts(cell)
end

local function changed(kind, before, now) return now[kind] > before[kind] end

-- Runs the command. Returns whether it has ended well.
local function act(cell)
  local command = commands.with_server(cell.plan.after)
  command.name = "after"
  cell.lab:audit { step = "after" }
  local program = cell.server_host:run(command)
  local which, ending = cell.lab:first { ended = program:ends(), within = WITHIN }
  if which then return ending.change == "exited" and ending.code == 0 end
  program:kill()
  return false
end

-- Waits until the client has done one of these, or the time is over. Returns which.
local function await(cell, kinds, before)
  local over = cell.lab:now() + WITHIN
  while true do
    local now = counts(cell)
    for _, kind in ipairs(kinds) do
      if changed(kind, before, now) then return kind end
    end
    if cell.end_event or cell.lab:now() >= over then return nil end
    cell:first(STEP, {})
  end
end

-- Without a failure: the client must react, and by something that it does not do without the
-- command, too. `over` is when its wait is over.
function reaction.of_baseline(cell, over)
  if cell.end_event then return "client_ended" end
  local before = listen(cell)
  cell:first(over - cell.lab:now(), {})
  if cell.end_event then return "client_ended" end
  local quiet, active = {}, counts(cell)
  for _, kind in ipairs(KINDS) do
    if not changed(kind, before, active) then table.insert(quiet, kind) end
  end
  before = listen(cell)
  if not act(cell) then return "command_failed" end
  local kind = await(cell, quiet, before)
  return kind or #quiet < #KINDS and "always_active" or "none"
end

-- After a failure: the client must react by what it did in the baseline.
function reaction.after_failure(cell)
  local before = listen(cell)
  if not act(cell) then return "command_failed" end
  return await(cell, { cell.fact_text "reaction" }, before) or "none"
end

return reaction
