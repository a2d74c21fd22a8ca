local tested = include "tested.lib.lua"

return {
  title = "A SYN from everybody",
  asks = "Does the stack ignore a SYN from an address that nobody can have?",
  requires = {
    id = "MUST-63", level = "MUST", rfc = "RFC 9293 section 3.9.2.3",
    says = "A SYN from an invalid source address is ignored.",
    met = "kodos answers a SYN of kang, and no SYN before it: on IPv4 from the broadcast address "
      .. "of the network of kodos, to which it has a route, and from 224.0.0.5; on IPv6 from "
      .. "ff02::5, and there a stack without a route meets it too.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.listener(lab, kodos)
    local broadcast = kang:address():gsub("%d+$", "255")
    local addresses = lab.family == 4 and { broadcast, "224.0.0.5" } or { "ff02::5" }
    for number, address in ipairs(addresses) do
      lab:forge {
        to = kodos, from = address, source_port = 40000,
        port = tested.port(kodos), flags = "S", seq = 1000,
      }
      -- Its answer to a later SYN of kang shows that kodos has handled this one.
      local port = 40000 + number
      lab:forge {
        to = kodos, from = kang, source_port = port,
        port = tested.port(kodos), flags = "S", seq = 1000,
      }
      local wait, answered = 3, false
      while true do
        local name, packet = lab:first { lab:packet("kodos > *", "tcp"), within = wait }
        if not name then break end
        local is_of_kang = packet.destination:find(kang:address(), 1, true)
        lab:require(is_of_kang, "nothing answers a SYN from " .. address, packet.summary)
        if packet.destination:match "%d+$" == tostring(port) then wait, answered = 0.5, true end
      end
      lab:check(answered, "kodos answers a SYN of kang", "nothing within 3 s")
    end
  end,
}
