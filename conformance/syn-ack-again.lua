local tested = include "tested.lib.lua"

return {
  title = "A SYN-ACK that is not answered",
  asks = "Is a SYN-ACK sent again?",
  requires = {
    id = "syn-ack-retries", level = "behaviour", rfc = "RFC 9293 section 3.8.1",
    says = "A SYN-ACK that nobody acknowledges is sent again.",
    met = "kodos sends its SYN-ACK a second time within 8 s.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    tested.listener(lab, kodos)
    tested.open(lab, kodos, kang)
    local again = tested.packet(lab, "SYN ACK", 8)
    lab:require(again, "kodos sends its SYN-ACK again", "not within 8 s")
  end,
}
