-- How a cell of an audit ends: whether the client got the right answer, and what its user saw.
local reaction = include "reaction.lib.lua"

local judge = {}
local NOT_LATER = 1  -- seconds: an answer this much later than without a failure is as good

-- The last line that the client wrote, or another program: on standard error, or else on standard
-- output.
function judge.last_line(cell, program)
  for _, stream in ipairs { "stderr", "stdout" } do
    local last
    for line in (program or cell.client):output(stream):gmatch "[^\r\n]+" do
      if line:find "%S" then last = line end
    end
    if last then return last end
  end
  return ""
end

-- The marks of a template: app/audit/output_template.hh.
local ANY_TOKEN, ANY_LINE, ANY_LINES = "\1", "\2", "\3"

local function lines_of(text)
  local lines = {}
  for line in text:gmatch "[^\n]*\n?" do
    if line ~= "" then table.insert(lines, line) end
  end
  return lines
end

local function is_like(template, line)
  if template == line or template:sub(1, 1) == ANY_LINE then return true end
  if not template:find(ANY_TOKEN, 1, true) then return false end
  local function normal(text) return (text:gsub(" +", " ")) end  -- columns are aligned with blanks
  local pattern = normal(template):gsub("%p", "%%%0"):gsub(ANY_TOKEN, "%%S*")
  return normal(line):find("^ ?" .. pattern .. "$") ~= nil
end

-- Whether the output is the template's: a gap takes as few lines as it can.
local function matches(template, output)
  local wanted, lines = lines_of(template), lines_of(output)
  local i, j, gap, retry = 1, 1, nil, nil
  while j <= #lines do
    if wanted[i] and wanted[i]:sub(1, 1) == ANY_LINES then
      gap, retry = i, j
      i = i + 1
    elseif wanted[i] and is_like(wanted[i], lines[j]) then
      i, j = i + 1, j + 1
    elseif gap then
      retry = retry + 1
      i, j = gap + 1, retry
    else
      return false
    end
  end
  while wanted[i] and wanted[i]:sub(1, 1) == ANY_LINES do i = i + 1 end
  return wanted[i] == nil
end

local function is_right(cell, status)
  local output = cell.client:output()
  if cell.plan.judge then return cell.plan.judge(output, status) end
  local right = cell.lab:parameter "answer"
  if right and cell.lab:parameter "masked" == "yes" then return matches(right, output) end
  return right == nil or output == right
end

-- Until when an answer is as good as one without a failure. If the failure came after the
-- connection, the time before the connection does not count: a busy machine may take seconds to
-- start a program.
local function in_time_until(cell)
  local since, usual = cell.started, "duration"
  if cell.has_connection and cell.first_sent_at then
    since, usual = cell.first_sent_at, "connection_duration"
  end
  return since + (tonumber(cell.lab:parameter(usual)) or 0) + NOT_LATER
end

-- Waits for the end, until `over`. Returns the event, and whether it came in time. The deadline of
-- lab:await waits while the run has no processor.
local function await_end(cell, over)
  local lab, in_time = cell.lab, in_time_until(cell)
  local seconds = math.min(over, in_time) - lab:now()
  if not cell.end_event and seconds > 0 then
    cell.end_event = lab:await(cell.client, seconds):ends()
    if cell.end_event then return cell.end_event, true end
  end
  local ending = cell:wait_for_end(over - lab:now())
  return ending, ending and ending.t <= in_time
end

local function of_end(cell, ending, in_time)
  local status = ending.code or 0
  local lab = cell.lab
  if ending.change ~= "exited" or status ~= (tonumber(lab:parameter "status") or 0) then
    return "error", judge.last_line(cell)
  end
  if lab:parameter "baseline" == "waits" then return "error", judge.last_line(cell) end
  if not is_right(cell, status) then return "wrong_data", judge.last_line(cell) end
  return in_time and "unaffected" or "recovered", ""
end

-- The failure is over, and the client still waits. If it reacts, packets pass, whatever the states
-- of its connections are.
local function after_failure(cell, outcome, text)
  local failure = cell.case.failure
  local stays = failure.stays or failure.lasts and not cell.is_over
  if not cell.plan.after or stays or cell.lab:parameter "baseline" ~= "waits" then
    return outcome, text
  end
  local reacts = reaction.after_failure(cell)
  local has_reacted = reacts ~= "none" and reacts ~= "command_failed"
  if has_reacted and outcome == "hangs" then outcome, text = "recovered", "" end
  return outcome, text, reacts
end

-- Whether the newest connections of both ends are one, and open.
local function has_open_connection(cell, at_client)
  local is_known, at_server = pcall(cell.lab.connection, cell.lab, cell.server_host)
  return is_known and at_client.state == "ESTABLISHED" and at_server.state == "ESTABLISHED"
    and at_client.local_port == at_server.remote_port
end

-- A client that waits without end is served if both ends have the connection, and packets pass.
local function of_waiting(cell)
  local lab, failure = cell.lab, cell.case.failure
  if lab:parameter "baseline" ~= "waits" then return "hangs", judge.last_line(cell) end
  local stays = failure.stays or failure.lasts and not cell.is_over
  local is_known, at_client = pcall(lab.connection, lab, cell.client_host)
  if stays or not is_known then return "hangs", judge.last_line(cell) end
  local is_new = at_client.local_port ~= cell.port_before
  local is_late = cell.connected_at and cell.connected_at - cell.started > NOT_LATER
  if not has_open_connection(cell, at_client) or not (is_new or failure.keeps_connection) then
    return "hangs", judge.last_line(cell)
  end
  return (is_new and cell.port_before ~= 0 or is_late) and "recovered" or "unaffected", ""
end

-- The client is the victim: the question is whether the server lets go of its connection.
local function of_server(cell)
  local gone = cell.lab:first {
    gone = cell.server_host:holds_no_connection_to(cell.client_host),
    within = math.max(cell.failed_at + cell.limit - cell.lab:now(), 0),
  }
  return gone and "recovered" or "hangs", ""
end

-- Waits for the end of the cell, and puts the outcome on the timeline.
function judge.judge(cell)
  local outcome, text, reacts
  if cell.case.side == "client" and cell.case.failure.stops_program then
    outcome, text = of_server(cell)
  else
    local ending, in_time = await_end(cell, cell.failed_at + cell.limit)
    if ending then
      outcome, text = of_end(cell, ending, in_time)
    else
      outcome, text, reacts = after_failure(cell, of_waiting(cell))
    end
  end
  cell.lab:audit { step = "judged", outcome = outcome, text = text, reaction = reacts }
end

return judge
