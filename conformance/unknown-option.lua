local tested = include "tested.lib.lua"

return {
  title = "An unknown TCP option",
  asks = "Does the stack ignore an option that it does not know?",
  requires = {
    id = "MUST-6", level = "MUST", rfc = "RFC 9293 section 3.1",
    says = "An option that the stack does not implement is ignored, if it has a length field.",
    met = "kodos accepts a connection whose SYN has the option kind 253 (RFC 4727), and data with "
      .. "it.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    tested.check_answers(lab, kodos, kang)
    local unknown = { raw = "\253\4\18\52" }
    lab:forge {
      to = kodos, from = kang, source_port = 40000,
      port = tested.port(kodos), flags = "S", seq = 1000,
      options = unknown,
    }
    local answer = tested.answer(lab, 2)
    lab:require(answer == "a SYN-ACK", "kodos answers a SYN with an unknown option with a SYN-ACK",
      "the answer is " .. answer)
    local conn = lab:connection(kodos)
    conn:ack { options = unknown }
    conn:data("hello", { options = unknown })
    local packet = tested.packet(lab, "tcp", 2, { ack = 6 })
    lab:require(packet, "kodos acknowledges data behind an unknown option",
      "no acknowledgment within 2 s")
  end,
}
