local tested = include "tested.lib.lua"

return {
  title = "What is sent after a timeout",
  asks = "Does the stack start again with one segment after a timeout?",
  requires = {
    id = "RFC5681-3.1-loss", level = "MUST", rfc = "RFC 5681 section 3.1",
    says = "After a retransmission timeout, the congestion window is one segment.",
    met = "In the 0.1 s after its first retransmission of the oldest data, kodos sends at most "
      .. "that one segment and one more: a tail loss probe (RFC 8985) may be near.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { options = { mss = 1000 } })
    program:type(("x"):rep(59999) .. "\n")
    lab:expect_packet("kodos > kang", "data", { seq = 1 })
    local again = tested.packet(lab, "data", 8, { seq = 1 })
    lab:check(again, "kodos sends the oldest data again within 8 s")
    local segments = 0
    while segments < 2 and tested.early(lab, conn, "data", 0.1, { ack = 1 }) do
      segments = segments + 1
    end
    lab:require(segments <= 1, "kodos sends one segment after a timeout",
      "two more within 0.1 s")
  end,
}
