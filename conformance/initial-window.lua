local tested = include "tested.lib.lua"

return {
  title = "The first flight of data",
  asks = "How much does the stack send before the first acknowledgment?",
  requires = {
    id = "RFC6928-2", level = "behaviour", rfc = "RFC 6928 section 2; RFC 5681 section 3.1",
    says = "The initial window is at most 10 segments.",
    met = "kodos sends at most 10,000 bytes before the first acknowledgment, with an MSS of 1000.",
  },
  tags = { "conformance" },

  run = function(lab)
    local _, program = tested.scripted(lab, { options = { mss = 1000 } })
    program:type(("x"):rep(59999) .. "\n")
    local bytes = tested.burst(lab, 0.1)
    lab:check(bytes > 0, "kodos sends data")
    lab:require(bytes <= 10000, "the first flight has at most 10 segments of 1000 bytes",
      bytes .. " bytes")
  end,
}
