local tested = include "tested.lib.lua"

return {
  title = "A SYN from everybody",
  asks = "Does the stack ignore a SYN from an address that nobody can have?",
  requires = {
    id = "MUST-63", level = "MUST", rfc = "RFC 9293 section 3.9.2.3",
    says = "A SYN from an invalid source address is ignored.",
    met = "Nothing answers a SYN within 1 s: on IPv4 from the broadcast address of the network of "
      .. "kodos, to which it has a route, and from 224.0.0.5; on IPv6 from ff02::5, and there a "
      .. "stack without a route meets it too. kodos answers a SYN of kang.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.listener(lab, kodos)
    local broadcast = kang:address():gsub("%d+$", "255")
    for _, address in ipairs(lab.family == 4 and { broadcast, "224.0.0.5" } or { "ff02::5" }) do
      lab:forge {
        to = kodos, from = address, source_port = 40000, port = 8080, flags = "S", seq = 1000,
      }
      local name, packet = lab:first { lab:packet("kodos > *", "tcp"), within = 1 }
      lab:require(not name, "nothing answers a SYN from " .. address, packet and packet.summary)
    end
    tested.open(lab, kodos, kang)
  end,
}
