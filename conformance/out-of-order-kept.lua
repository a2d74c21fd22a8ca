local tested = include "tested.lib.lua"

return {
  title = "Segments in the wrong order",
  asks = "Does the stack keep a segment that arrives too early?",
  requires = {
    id = "SHLD-31", level = "SHOULD", rfc = "RFC 9293 section 3.10.7.4",
    says = "Segments out of order are queued, and processed in order.",
    met = "After the missing segment arrives, one ACK of kodos covers the early one too.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    conn:data("world", { seq = 6 })
    lab:wait(0.1)
    conn:data("hello", { seq = 1 })
    local packet = tested.packet(lab, "tcp", 2, { ack = 11 })
    lab:require(packet, "kodos acknowledges both segments", "no acknowledgment of both within 2 s")
  end,
}
