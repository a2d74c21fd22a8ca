local tested = include "tested.lib.lua"

return {
  title = "A RST for a connection that is not complete",
  asks = "Does a listener go on after a RST in SYN-RECEIVED?",
  requires = {
    id = "MUST-11", level = "MUST", rfc = "RFC 9293 section 3.5",
    says = "A connection in SYN-RECEIVED remembers that it came from LISTEN: after a RST the port "
      .. "listens.",
    met = "After a SYN and a RST, kodos answers a new SYN with a SYN-ACK.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    tested.listener(lab, kodos)
    tested.open(lab, kodos, kang)
    lab:forge {
      to = kodos, from = kang, source_port = 40000,
      port = tested.port(kodos), flags = "R", seq = 1001,
    }
    lab:forge {
      to = kodos, from = kang, source_port = 40001,
      port = tested.port(kodos), flags = "S", seq = 9000,
    }
    -- The SYN-ACK of the first SYN may come again.
    local answer
    for _ = 1, 5 do
      answer = tested.packet(lab, "SYN ACK", 2)
      if not answer or answer.destination:find(":40001", 1, true) then break end
    end
    lab:require(answer, "kodos answers a SYN after the RST with a SYN-ACK", "no SYN-ACK within 2 s")
  end,
}
