local tested = include "tested.lib.lua"

return {
  title = "Probes that slow down",
  asks = "Do the probes of a closed window become less frequent?",
  requires = {
    id = "SHLD-30", level = "SHOULD", rfc = "RFC 9293 section 3.8.6.1",
    says = "The interval between probes of a closed window increases exponentially.",
    met = "Of the intervals between probes within 15 s, or of the first two, the last is 1.5 times "
      .. "the one before it, or longer. One of 1.2 to 1.5 times is not seen: kodos may have been "
      .. "late.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" }, options = { mss = 1000 } })
    local began = tested.close_window(lab, conn, program)
    local times = {}
    while true do
      local most = #times > 2 and 15 or 20
      local probe = tested.packet(lab, "tcp", began + most - lab:now())
      if not probe then break end
      times[#times + 1] = probe.t
      conn:ack { ack = 1001, window = 0 }
    end
    lab:check(#times > 2, "kodos sends three probes or more within 20 s", #times)
    local last, before, words = tested.last_intervals(times)
    lab:check(last > 1.5 * before or last < 1.2 * before, "the intervals tell", words)
    lab:require(last > 1.5 * before, "the last interval is longer than the one before it", words)
  end,
}
