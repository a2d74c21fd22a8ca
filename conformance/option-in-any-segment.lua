local tested = include "tested.lib.lua"

return {
  title = "A TCP option in a segment with data",
  asks = "Does the stack take data in a segment that has TCP options?",
  requires = {
    id = "MUST-5", level = "MUST", rfc = "RFC 9293 section 3.1",
    says = "A TCP option may be in any segment.",
    met = "kodos acknowledges data in a segment with four No-Operation options.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    conn:data("hello", { options = { raw = "\1\1\1\1" } })
    local packet = tested.packet(lab, "tcp", 2, { ack = 6 })
    lab:require(packet, "kodos acknowledges data behind options", "no acknowledgment within 2 s")
  end,
}
