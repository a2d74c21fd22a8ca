local tested = include "tested.lib.lua"

return {
  title = "Two FINs that cross",
  asks = "Does the stack close if its FIN crosses that of its peer?",
  requires = {
    id = "RFC9293-3.6-cross", level = "behaviour", rfc = "RFC 9293 section 3.6, case 3",
    says = "Both ends may close at once: each acknowledges the FIN of the other.",
    met = "kodos acknowledges a FIN that crosses its own, and is in TIME-WAIT after its own is "
      .. "acknowledged: it acknowledges that FIN again.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab)
    program:stop()
    lab:expect_packet("kodos > kang", "FIN")
    conn:fin { ack = 1 }
    local first = tested.packet(lab, "tcp", 2, { ack = 2 })
    lab:require(first and not first.flags:find "R", "kodos acknowledges the FIN that crosses",
      first and "it sends a RST" or "no ACK within 2 s")
    conn:ack { ack = 2 }
    tested.settle(lab)
    conn:fin { seq = 1, ack = 2 }
    local answer = tested.answer(lab, 2)
    lab:require(answer == "an ACK", "kodos acknowledges the FIN again", "it sends " .. answer)
  end,
}
