local tested = include "tested.lib.lua"

return {
  title = "A SYN from a multicast address",
  asks = "Does the stack ignore a SYN from an address that nobody can have?",
  requires = {
    id = "MUST-63", level = "MUST", rfc = "RFC 9293 section 3.9.2.3",
    says = "A SYN from an invalid source address is ignored.",
    met = "Nothing answers a SYN from 224.0.0.5 or ff02::5 within 1 s.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.listener(lab, kodos)
    lab:forge {
      to = kodos, from = lab.family == 4 and "224.0.0.5" or "ff02::5", source_port = 40000,
      port = 8080, flags = "S", seq = 1000,
    }
    local name, packet = lab:first { lab:packet("kodos > *", "tcp"), within = 1 }
    lab:require(not name, "nothing answers a SYN from a multicast address",
      packet and packet.summary)
    tested.open(lab, kodos, kang)
  end,
}
