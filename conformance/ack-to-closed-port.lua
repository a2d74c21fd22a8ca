local tested = include "tested.lib.lua"

return {
  title = "An ACK to a port without a connection",
  asks = "Does a segment of a forgotten connection get the right RST?",
  requires = {
    id = "RFC9293-3.10.7.1-ack", level = "behaviour", rfc = "RFC 9293 section 3.10.7.1",
    says = "A segment with ACK to a port without a connection gets a RST whose sequence number is "
      .. "the acknowledgment.",
    met = "The answer of kodos is a RST with that sequence number.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    tested.check_answers(lab, kodos, kang)
    lab:forge {
      to = kodos, from = kang, source_port = 40000, port = 9, flags = "A", seq = 1000, ack = 777,
    }
    local answer, packet = tested.answer(lab, 2)
    lab:require(answer == "a RST", "kodos answers an ACK to a closed port with a RST",
      "it sends " .. answer)
    lab:require(packet.seq == 777, "the RST has the number of the acknowledgment", packet.seq)
  end,
}
