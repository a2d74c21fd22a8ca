-- Half of the answer, or of what the client uploads, has arrived.
return {
  name = "transfer",
  title = "in the middle of a transfer",
  has_connection = true,
  watch = function(cell, act)
    local direction = cell.fact_text "transfer_to" == "server" and "* > server" or "* > client"
    local segment = cell.lab:packet(direction, "data", { fate = "delivered" })
    return cell:at(cell.fact "transfer_bytes", segment, act)
  end,
}
