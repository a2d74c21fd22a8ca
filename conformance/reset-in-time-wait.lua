local tested = include "tested.lib.lua"

return {
  title = "A RST in TIME-WAIT",
  asks = "Does an old RST end TIME-WAIT?",
  requires = {
    id = "RFC1337-3", level = "behaviour", rfc = "RFC 1337 section 3",
    says = "A RST in TIME-WAIT is ignored: otherwise it lets old segments into a new connection. "
      .. "RFC 9293 does not ask for that.",
    met = "After a RST, kodos still answers a segment of the old connection with an ACK.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.time_wait(lab)
    conn:rst()
    conn:fin { seq = 1 }
    local answer = tested.answer(lab, 2)
    lab:require(answer == "an ACK", "kodos is still in TIME-WAIT: it acknowledges the FIN again",
      "it sends " .. answer)
  end,
}
