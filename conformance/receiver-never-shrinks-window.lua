local tested = include "tested.lib.lua"

return {
  title = "The right edge of the receive window",
  asks = "Does the stack ever take back the window that it has offered?",
  requires = {
    id = "SHLD-14", level = "SHOULD", rfc = "RFC 9293 section 3.8.6",
    says = "A receiver does not move the right edge of its window to the left.",
    met = "While kang fills the buffer of a program that does not read, no ACK of kodos has a "
      .. "right edge left of an earlier one, give or take the unit of the window scale.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local peer, program = lab:connect(kang, kodos, { server = { "--repl" } })
    local syn_ack = lab:expect_packet("kodos > kang", "SYN ACK")
    local shift = syn_ack.window_scale or 0
    peer:type(("x"):rep(99999) .. "\n")
    local edge, worst = 0, 0
    for _ = 1, 200 do
      local packet = tested.packet(lab, "ACK only", 1)
      if not packet then break end
      local right = (packet.ack - syn_ack.ack) % 2 ^ 32 + (packet.window << shift)
      edge = math.max(edge, right)
      worst = math.max(worst, edge - right)
    end
    lab:check(edge > 0, "kodos acknowledges data")
    lab:require(worst < (1 << shift), "no ACK takes back offered window",
      ("one takes back %d bytes"):format(worst))
    lab:expect(program):still_runs()
  end,
}
