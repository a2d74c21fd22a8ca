local tested = include "tested.lib.lua"

return {
  title = "A refusal by a router",
  asks = "Does a connect fail at once if the network refuses it?",
  requires = {
    id = "connect-icmp", level = "behaviour", rfc = "RFC 1122 section 4.2.3.9",
    says = "An ICMP error \"port unreachable\" about a SYN ends the attempt to connect.",
    met = "connect(2) fails within 4 s, and before the SYN is sent again.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    local program = kodos:dnc(kang, 8080)
    local syn = lab:expect_packet("kodos > kang", "SYN")
    lab:icmp { error = "port-unreachable", about = syn }
    local name = lab:first {
      fails = program:call("connect"):returns(),
      goes_on = lab:packet("kodos > kang", "SYN"),
      within = 4,
    }
    lab:require(name == "fails", "connect(2) fails at once", "it goes on")
  end,
}
