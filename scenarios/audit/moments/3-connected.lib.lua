-- Both ends are ESTABLISHED, and no data has arrived.
return {
  name = "connected",
  title = "connected, silent",
  has_connection = true,
  watch = function(cell, act)
    local handshake = cell.lab:packet("* > server", "ACK only", { fate = "delivered" })
    return cell.lab:when(handshake, act, { optional = true })
  end,
}
