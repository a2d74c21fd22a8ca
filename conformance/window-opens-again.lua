local tested = include "tested.lib.lua"

return {
  title = "A window that opens again",
  asks = "Does the sender go on when the window opens?",
  requires = {
    id = "MUST-35", level = "MUST", rfc = "RFC 9293 section 3.8.6",
    says = "A window that has shrunk to 0 is probed, and data flows when it opens.",
    met = "After an ACK that opens the window again, kodos sends the waiting data within 5 s.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" }, options = { mss = 1000 } })
    tested.close_window(lab, conn, program)
    local probe = tested.packet(lab, "tcp", 10)
    lab:require(probe, "kodos probes the window", "nothing within 10 s")
    conn:ack { ack = 1001, window = 65535 }
    local more = tested.packet(lab, "data", 5)
    lab:require(more, "kodos sends the waiting data", "none within 5 s")
  end,
}
