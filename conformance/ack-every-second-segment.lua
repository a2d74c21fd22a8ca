local tested = include "tested.lib.lua"

return {
  title = "Two full-sized segments",
  asks = "Does the stack acknowledge every second full-sized segment?",
  requires = {
    id = "SHLD-19", level = "SHOULD", rfc = "RFC 9293 section 3.8.6.3",
    says = "An ACK is sent for at least every second full-sized segment.",
    met = "kodos acknowledges two full-sized segments within 0.03 s, earlier than a delayed ACK.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, _, _, _, syn_ack = tested.scripted(lab)
    -- RFC 5681 counts in the MSS that the receiver has announced.
    local size = tonumber(syn_ack.summary:match "mss (%d+)") or 536
    local text = ("x"):rep(size)
    local at = 1
    for _ = 1, 4 do
      conn:data(text, { seq = at })
      local second = lab:now()
      conn:data(text, { seq = at + size })
      at = at + 2 * size
      local packet = tested.packet(lab, "tcp", 0.5, { ack = at })
      local span = packet and packet.t - second
      lab:require(span and span < 0.03, "kodos acknowledges two full-sized segments at once",
        span and ("after %.3f s"):format(span) or "no acknowledgment within 0.5 s")
    end
  end,
}
