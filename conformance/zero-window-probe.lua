local tested = include "tested.lib.lua"

return {
  title = "A closed window",
  asks = "Does the stack probe a window that the peer has closed?",
  requires = {
    id = "MUST-36", level = "MUST", rfc = "RFC 9293 section 3.8.6.1",
    says = "A sender with data probes a window of 0.",
    met = "While the window is 0 and data waits, kodos sends a segment within 10 s.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" }, options = { mss = 1000 } })
    tested.close_window(lab, conn, program)
    local probe = tested.packet(lab, "tcp", 10)
    lab:require(probe, "kodos probes the closed window", "nothing within 10 s")
  end,
}
