local tested = include "tested.lib.lua"

return {
  title = "A connection to everybody",
  asks = "Does the stack refuse to connect to a broadcast or multicast address?",
  requires = {
    id = "MUST-46", level = "MUST", rfc = "RFC 9293 section 3.9.1.1",
    says = "An active OPEN to a broadcast or multicast address is an error.",
    met = "connect(2) fails within 1 s, and no SYN leaves kodos: on IPv4 to the broadcast address "
      .. "of its network, to which it has a route, and to 224.0.0.5; on IPv6 to ff02::5, and there "
      .. "a stack without a route meets it too.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:connect(kodos, kang)
    lab:expect_packet("kodos > *", "SYN")
    local broadcast = kang:address():gsub("%d+$", "255")
    for _, address in ipairs(lab.family == 4 and { broadcast, "224.0.0.5" } or { "ff02::5" }) do
      local program = kodos:dnc(address, 8080)
      local name = lab:first {
        failed = program:call("connect"):returns(),
        sent = lab:packet("kodos > *", "SYN"),
        within = 1,
      }
      lab:require(name == "failed", "connect(2) to " .. address .. " fails",
        name == "sent" and "kodos sends a SYN" or "it waits")
    end
  end,
}
