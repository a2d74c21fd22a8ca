-- The answer has arrived, and the next request has not been sent.
return {
  name = "idle",
  title = "idle between requests",
  has_connection = true,
  watch = function(cell, act)
    local answer = cell.lab:packet("* > client", "data", { fate = "delivered" })
    return cell:at(cell.fact "idle_bytes", answer, act)
  end,
}
