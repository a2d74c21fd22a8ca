local tested = include "tested.lib.lua"

return {
  title = "Retransmissions that slow down",
  asks = "Does the timeout double with each retransmission?",
  requires = {
    id = "MUST-19", level = "MUST", rfc = "RFC 9293 section 3.8.2; RFC 6298 section 5.5",
    says = "Each retransmission of a segment doubles the timeout.",
    met = "Of the retransmissions within 11 s, the last interval is 1.7 times the one before it, "
      .. "or longer.",
  },
  tags = { "conformance" },

  run = function(lab)
    local _, program = tested.scripted(lab)
    program:type "hello\n"
    local first = lab:expect_packet("kodos > kang", "data")
    local times = { first.t }
    while true do
      local again = tested.packet(lab, "data", first.t + 11 - lab:now())
      if not again then break end
      times[#times + 1] = again.t
    end
    lab:check(#times > 2, "kodos sends the data again at least twice within 11 s", #times)
    local last, before, words = tested.last_intervals(times)
    lab:require(last > 1.7 * before, "the last interval is twice the one before it",
      words)
  end,
}
