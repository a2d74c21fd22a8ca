local tested = include "tested.lib.lua"

return {
  title = "A peer with an MSS of 700",
  asks = "Does the stack obey the MSS of its peer?",
  requires = {
    id = "MUST-16", level = "MUST", rfc = "RFC 9293 section 3.7.1",
    says = "The largest segment is the smaller of the MSS of the peer and what the path carries, "
      .. "without the options.",
    met = "To a peer with an MSS of 700, kodos sends at most 700 bytes in a segment.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { options = { mss = 700 } })
    program:type(("x"):rep(2999) .. "\n")
    local longest = tested.longest(lab, conn)
    lab:check(longest > 0, "kodos sends data within 3 s")
    lab:require(longest <= 700, "kodos sends at most 700 bytes in a segment",
      longest .. " bytes")
  end,
}
