-- The server's kernel has acknowledged the request, and the answer is not on the wire yet. A server
-- that answers at once acknowledges with the answer: then the lab forges the acknowledgment.
-- Otherwise the server has read the request, too: the kernel of a server that is killed before
-- sends RST, not FIN.

-- Runs `act` when both have happened.
local function at_both(act)
  local missing = 2
  return function(event)
    missing = missing - 1
    if missing == 0 then act(event) end
  end
end

return {
  name = "waiting",
  title = "waiting for the answer",
  has_connection = true,
  watch = function(cell, act)
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
  end,
}
