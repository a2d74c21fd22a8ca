-- The run without a failure, in which the audit measures the pair: when the client asks, when it is
-- idle, how it ends, and which parts of its output differ by themselves.
local judge = include "judge.lib.lua"
local reaction = include "reaction.lib.lua"

local WITHIN = 10         -- seconds from the first segment: for a client that ends
local START_WITHIN = 30   -- until the first segment
local CLOCK_TICK = 1      -- of the clocks that programs print
local LONGER_BY = 0.05

-- Waits like Cell:first, but returns "gone" when the server has ended before the client has
-- connected. One that ends later may have served its only client.
local function first_with_server(cell, seconds, conditions)
  local over = cell.lab:now() + seconds
  local first = getmetatable(cell).first
  if not cell.connected_at then conditions.gone = cell.server:has_no_process() end
  local which = first(cell, seconds, conditions)
  if which == "gone" and cell.connected_at then
    conditions.gone = nil
    which = first(cell, over - cell.lab:now(), conditions)
  end
  cell.is_server_gone = which == "gone"
  return which
end

local function goes_on(cell) return not cell.end_event and not cell.is_server_gone end

-- Waits for the client's first segment, however short the limit of a cell is: a program may be
-- compiled before it starts, and the machine may be busy.
local function await_start(cell)
  if cell.first_sent_at or not goes_on(cell) then return end
  cell:first(START_WITHIN, { sent = cell.lab:packet("client > *", "SYN") })
end

-- Without a failure, the audit need not wait for a client whose server has gone. The second time
-- shows which parts of the output differ by themselves: clocks have gone on, and round trips are
-- longer.
return function(cell)
  local lab, plan = cell.lab, cell.plan
  cell.first = first_with_server
  if lab:parameter "again" then
    lab:wait(CLOCK_TICK)
    lab:delay { by = LONGER_BY }
  end
  cell:start_client()
  local wanted = tonumber(lab:parameter "baseline_within") or WITHIN
  local within = math.min(wanted, cell.limit)
  local has_asked = goes_on(cell) and cell:type_next()  -- a program may connect only then
  if wanted >= WITHIN or plan.after then await_start(cell) end
  local over = lab:now() + within
  local is_asking = has_asked
  while is_asking do
    cell:pause_after_request(over - lab:now())
    is_asking = goes_on(cell) and cell:type_next()
  end
  -- A client that starts late must not begin in the quiet time.
  if plan.after and not has_asked and goes_on(cell) then
    cell:pause_after_request(over - lab:now())
  end
  local quiet = plan.after and within / 2 or 0  -- in which the client does nothing
  over = math.max(over, lab:now() + quiet)
  if goes_on(cell) then cell:first(over - quiet - lab:now(), {}) end
  local reacts
  if plan.after and not cell.is_server_gone then reacts = reaction.of_baseline(cell, over) end
  lab:audit {
    step = "judged", outcome = "unaffected", text = judge.last_line(cell), reaction = reacts,
  }
end
