local tested = include "tested.lib.lua"

return {
  title = "A new SYN in TIME-WAIT",
  asks = "Does the stack accept a new connection in TIME-WAIT?",
  requires = {
    id = "MAY-2", level = "MAY", rfc = "RFC 9293 section 3.6.1",
    says = "A SYN with a larger sequence number may open a connection that is in TIME-WAIT.",
    met = "kodos answers such a SYN with a SYN-ACK.",
  },
  tags = { "conformance" },

  run = function(lab)
    local _, kodos, kang = tested.time_wait(lab)
    tested.listener(lab, kodos)
    lab:forge {
      to = kodos, from = kang, source_port = 40000,
      port = tested.port(kodos), flags = "S", seq = 90000,
    }
    local answer = tested.answer(lab, 2)
    lab:require(answer == "a SYN-ACK", "kodos answers a new SYN in TIME-WAIT with a SYN-ACK",
      "it sends " .. answer)
  end,
}
