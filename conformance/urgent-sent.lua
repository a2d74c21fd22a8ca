local tested = include "tested.lib.lua"

return {
  title = "Urgent data",
  asks = "Can a program send urgent data?",
  requires = {
    id = "MUST-30", level = "MUST", rfc = "RFC 9293 section 3.8.5",
    says = "The stack supports the urgent mechanism.",
    met = "A byte that a program of kodos sends with MSG_OOB leaves in a segment with URG.",
  },
  tags = { "conformance" },

  run = function(lab)
    local _, program = tested.scripted(lab, { tested = { "--repl" } })
    program:type "send x oob\n"
    local urgent = tested.packet(lab, "URG", 2)
    lab:require(urgent, "kodos sends a segment with URG", "none within 2 s")
  end,
}
