local tested = include "tested.lib.lua"

return {
  title = "An MSS option at an odd place",
  asks = "Does the stack read options that are not aligned to words?",
  requires = {
    id = "MUST-64", level = "MUST", rfc = "RFC 9293 section 3.2",
    says = "Options are processed wherever they begin.",
    met = "kodos obeys an MSS option of 400 that follows a No-Operation: no segment has more "
      .. "data.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { options = { raw = "\1\2\4\1\144\1\1\1" } })
    program:type(("x"):rep(2999) .. "\n")
    local longest = tested.longest(lab, conn)
    lab:check(longest > 0, "kodos sends data")
    lab:require(longest <= 400, "kodos sends at most 400 bytes in a segment", longest .. " bytes")
  end,
}
