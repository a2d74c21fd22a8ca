-- The server's kernel has acknowledged the request, and its program has not answered. A server
-- that answers at once is stopped (SIGSTOP) before the request arrives, until the failure begins:
-- else it would answer before. One that answers late has read the request, too: the kernel of a
-- server that is killed before sends RST, not FIN.

-- Runs `act` when both have happened.
local function at_both(act)
  local missing = 2
  return function(event)
    missing = missing - 1
    if missing == 0 then act(event) end
  end
end

-- Waits for what the baseline has shown before the answer.
local function watch_late_answer(cell, act)
  local lab = cell.lab
  local is_acknowledged_first = cell.fact_text "acknowledged_first" == "yes"
  local is_read_first = cell.fact_text "read_first" == "yes"
  local request = lab:packet("* > server", "data", { fate = "delivered" })
  return cell:at(cell.fact "request_bytes", request, function(event)
    if not is_acknowledged_first then
      lab:connection(cell.client_host):ack()
      act(event)
      return
    end
    local act_once = is_read_first and at_both(act) or act
    local acknowledgment = lab:packet("* > client", "ACK only", { fate = "delivered" })
    cell:then_at(acknowledgment, act_once)
    if is_read_first then cell:then_at(cell.server:call("recv"):returns(), act_once) end
  end)
end

-- Another program than the server's may answer, and is not stopped.
local function watch_answer(cell)
  cell.lab:when(cell.lab:packet("* > client", "data"), function()
    cell.is_answered = not cell.failed_at
  end, { optional = true })
end

local function watch_quick_answer(cell, act)
  local lab = cell.lab
  return cell:at(cell.fact "request_bytes", lab:packet("* > server", "data"), function()
    cell:stop_server()
    watch_answer(cell)
    cell:then_at(lab:packet("* > server", "data", { fate = "delivered" }), function()
      cell:then_at(lab:packet("* > client", "ACK only", { fate = "delivered" }), act)
    end)
  end)
end

return {
  name = "waiting",
  title = "waiting for the answer",
  has_connection = true,
  watch = function(cell, act)
    local answers_late = cell.fact_text "answers_late" == "yes"
    return (answers_late and watch_late_answer or watch_quick_answer)(cell, act)
  end,
}
