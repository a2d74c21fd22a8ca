local tested = include "tested.lib.lua"

return {
  title = "A window of more than 32767",
  asks = "Is a window of 40000 a window, and not a negative number?",
  requires = {
    id = "MUST-1", level = "MUST", rfc = "RFC 9293 section 3.1",
    says = "The window is an unsigned number: one above 32767 is not negative.",
    met = "With a peer whose window is 40000, and not scaled, kodos sends more than one "
      .. "byte at a time, so that it is no probe.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { window = 40000 })
    program:type(("x"):rep(499) .. "\n")
    -- A probe of a closed window has one byte at most.
    local longest = tested.longest(lab, conn)
    lab:require(longest > 1, "kodos sends data into a window of 40000",
      longest == 0 and "no data" or "no more than one byte at a time")
  end,
}
