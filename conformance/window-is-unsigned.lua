local tested = include "tested.lib.lua"

return {
  title = "A window of more than 32767",
  asks = "Is a window of 40000 a window, and not a negative number?",
  requires = {
    id = "MUST-1", level = "MUST", rfc = "RFC 9293 section 3.1",
    says = "The window is an unsigned number: one above 32767 is not negative.",
    met = "With a peer whose window is 40000, and not scaled, kodos sends its data.",
  },
  tags = { "conformance" },

  run = function(lab)
    local _, program = tested.scripted(lab, { window = 40000 })
    program:type "hello\n"
    local packet = tested.packet(lab, "data", 3)
    lab:require(packet, "kodos sends data into a window of 40000", "no data within 3 s")
  end,
}
