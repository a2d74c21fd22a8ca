local tested = include "tested.lib.lua"

return {
  title = "A peer that sends no MSS option",
  asks = "Does the stack send small segments to a peer that has named no MSS?",
  requires = {
    id = "MUST-15", level = "MUST", rfc = "RFC 9293 section 3.7.1",
    says = "Without an MSS option from the peer, the send MSS is 536 on IPv4 and 1220 on IPv6.",
    met = "No segment to a peer whose SYN had no MSS option has more data than that.",
  },
  tags = { "conformance" },

  run = function(lab)
    local most = lab.family == 4 and 536 or 1220
    local conn, program = tested.scripted(lab)
    program:type(("x"):rep(2999) .. "\n")
    local longest = tested.longest(lab, conn)
    lab:check(longest > 0, "kodos sends data within 3 s")
    lab:require(longest <= most, ("kodos sends at most %d bytes in a segment"):format(most),
      longest .. " bytes")
  end,
}
