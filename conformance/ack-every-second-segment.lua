local tested = include "tested.lib.lua"

return {
  title = "Two full-sized segments",
  asks = "Does the stack acknowledge every second full-sized segment?",
  requires = {
    id = "SHLD-19", level = "SHOULD", rfc = "RFC 9293 section 3.8.6.3",
    says = "An ACK is sent for at least every second full-sized segment.",
    met = "kodos acknowledges three pairs of full-sized segments within 0.03 s each, which is "
      .. "earlier than a delayed ACK, before it acknowledges two pairs later.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, _, _, _, syn_ack = tested.scripted(lab)
    -- RFC 5681 counts in the MSS that the receiver has announced.
    local size = tonumber(syn_ack.summary:match "mss (%d+)") or 536
    local text = ("x"):rep(size)
    local late, seen = tested.count_late(lab, conn, 3, 2, function(number)
      local at = 1 + 2 * size * (number - 1)
      conn:data(text, { seq = at })
      conn:data(text, { seq = at + size })
      local packet = tested.packet(lab, "tcp", 0.03, { ack = at + 2 * size })
      return packet, "no acknowledgment within 0.03 s"
    end)
    lab:require(late < 2, "kodos acknowledges two full-sized segments at once", seen)
  end,
}
