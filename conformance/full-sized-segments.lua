local tested = include "tested.lib.lua"

return {
  title = "Segments of a long write",
  asks = "Does the stack send segments as large as it may?",
  requires = {
    id = "SHLD-28", level = "SHOULD", rfc = "RFC 9293 section 3.9.1.2",
    says = "The stack sends a segment of the largest size when it can.",
    met = "With an MSS of 1000 and 4000 bytes to send, the first segment has at least 988 bytes: "
      .. "all but the timestamps.",
  },
  tags = { "conformance" },

  run = function(lab)
    local _, program = tested.scripted(lab, { options = { mss = 1000 } })
    program:type(("x"):rep(3999) .. "\n")
    local first = tested.packet(lab, "data", 3)
    lab:check(first, "kodos sends data")
    lab:require(first.length >= 988, "the first segment has the size of the MSS",
      ("it has %d bytes"):format(first.length))
  end,
}
