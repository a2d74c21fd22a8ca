-- The request is on the wire, and has not arrived.
return {
  name = "request-sent",
  title = "request sent, not acknowledged",
  has_connection = true,
  watch = function(cell, act)
    local request = cell.lab:packet("client > *", "data")
    return cell:at(cell.fact "request_bytes", request, act)
  end,
}
