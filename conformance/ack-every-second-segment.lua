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
    local conn = tested.scripted(lab, { options = { mss = 1400 } })
    local text = ("x"):rep(1400)
    local at = 1
    for _ = 1, 4 do
      conn:data(text, { seq = at })
      conn:data(text, { seq = at + 1400 })
      at = at + 2800
      local packet = tested.packet(lab, "tcp", 0.03, { ack = at })
      lab:require(packet, "kodos acknowledges two full-sized segments at once",
        "no acknowledgment within 0.03 s")
    end
  end,
}
