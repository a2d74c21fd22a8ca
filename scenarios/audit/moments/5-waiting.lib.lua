-- The server's kernel has acknowledged the request, and the answer is not on the wire yet. A server
-- that answers at once acknowledges with the answer: then the lab forges the acknowledgment.
return {
  name = "waiting",
  title = "waiting for the answer",
  has_connection = true,
  watch = function(cell, act)
    local lab = cell.lab
    local request = lab:packet("* > server", "data", { fate = "delivered" })
    return cell:at(cell.fact "request", request, function(event)
      if cell.fact_text "acknowledged_first" == "yes" then
        local acknowledgment = lab:packet("* > client", "ACK only", { fate = "delivered" })
        cell.next_moment = lab:when(acknowledgment, act, { optional = true })
      else
        lab:connection(cell.client_host):ack()
        act(event)
      end
    end)
  end,
}
