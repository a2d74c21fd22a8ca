local tested = include "tested.lib.lua"

return {
  title = "An acknowledgment of data that was never sent",
  asks = "Does the stack answer an acknowledgment of the future?",
  requires = {
    id = "RFC9293-3.10.7.4-unsent", level = "behaviour", rfc = "RFC 9293 section 3.10.7.4",
    says = "An acknowledgment of what was never sent gets an ACK.",
    met = "An ACK of kodos answers an acknowledgment 1000 bytes ahead.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    conn:ack { ack = 1001 }
    local answer = tested.answer(lab)
    lab:require(answer == "an ACK", "kodos answers with an ACK", "it sends " .. answer)
  end,
}
