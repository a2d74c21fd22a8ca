local tested = include "tested.lib.lua"

return {
  title = "Retransmissions that slow down",
  asks = "Does the timeout double with each retransmission?",
  requires = {
    id = "MUST-19", level = "MUST", rfc = "RFC 9293 section 3.8.2; RFC 6298 section 5.5",
    says = "Each retransmission of a segment doubles the timeout.",
    met = "Of the retransmissions within 11 s, or of the first two, the last interval is 1.7 times "
      .. "the one before it, or longer. One of 1.3 to 1.7 times is not seen: kodos may have been "
      .. "late.",
  },
  tags = { "conformance" },

  run = function(lab)
    local _, program = tested.scripted(lab)
    program:type "hello\n"
    local first = lab:expect_packet("kodos > kang", "data")
    local times = { first.t }
    while true do
      local most = #times > 2 and 11 or 20
      local again = tested.packet(lab, "data", first.t + most - lab:now())
      if not again then break end
      times[#times + 1] = again.t
    end
    lab:check(#times > 2, "kodos sends the data again at least twice within 20 s", #times)
    local last, before, words = tested.last_intervals(times)
    lab:check(last > 1.7 * before or last < 1.3 * before, "the intervals tell", words)
    lab:require(last > 1.7 * before, "the last interval is twice the one before it", words)
  end,
}
