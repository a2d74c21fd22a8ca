local tested = include "tested.lib.lua"

return {
  title = "A SYN to a port without a listener",
  asks = "Does a SYN to a closed port get the right RST?",
  requires = {
    id = "RFC9293-3.10.7.1-syn", level = "behaviour", rfc = "RFC 9293 section 3.10.7.1",
    says = "A SYN to a port without a listener gets a RST with sequence number 0 that "
      .. "acknowledges the SYN.",
    met = "The answer of kodos is a RST with sequence number 0 and the acknowledgment number of "
      .. "the SYN plus 1.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    tested.check_answers(lab, kodos, kang)
    lab:forge { to = kodos, from = kang, source_port = 40000, port = 9, flags = "S", seq = 1000 }
    local answer, packet = tested.answer(lab, 2)
    lab:require(answer == "a RST", "kodos answers a SYN to a closed port with a RST",
      "it sends " .. answer)
    lab:require(packet.seq == 0 and packet.ack == 1001 and packet.flags:find "%.",
      "the RST has sequence number 0 and acknowledges the SYN", packet.summary)
  end,
}
