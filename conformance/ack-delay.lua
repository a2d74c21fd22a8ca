local tested = include "tested.lib.lua"

return {
  title = "The delay of an acknowledgment",
  asks = "Is data acknowledged within half a second?",
  requires = {
    id = "MUST-40", level = "MUST", rfc = "RFC 9293 section 3.8.6.3",
    says = "The delay of an acknowledgment is less than 0.5 s.",
    met = "kodos acknowledges each of 5 small segments, one after the other, within 0.5 s. Three "
      .. "late ACKs of a host that is otherwise prompt are not met; fewer are not seen.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    local late, seen = tested.count_late(lab, conn, 5, 3, function(number)
      conn:data("hello", { seq = 5 * number - 4 })
      local packet = tested.packet(lab, "tcp", 0.5, { ack = 1 + 5 * number })
      return packet, ("number %d has no acknowledgment"):format(number)
    end)
    lab:check(late == 0 or late == 3, "kodos is never late, or three times", late)
    lab:require(late == 0, "kodos acknowledges a segment within 0.5 s", seen)
  end,
}
