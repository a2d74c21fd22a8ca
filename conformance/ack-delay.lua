local tested = include "tested.lib.lua"

return {
  title = "The delay of an acknowledgment",
  asks = "Is data acknowledged within half a second?",
  requires = {
    id = "MUST-40", level = "MUST", rfc = "RFC 9293 section 3.8.6.3",
    says = "The delay of an acknowledgment is less than 0.5 s.",
    met = "kodos acknowledges each of 5 small segments, one after the other, within 0.5 s.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    for i = 1, 5 do
      conn:data "hello"
      local packet = tested.packet(lab, "tcp", 0.5, { ack = 1 + 5 * i })
      lab:require(packet, "kodos acknowledges a segment within 0.5 s",
        ("number %d has no acknowledgment"):format(i))
    end
  end,
}
