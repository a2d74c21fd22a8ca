local tested = include "tested.lib.lua"

return {
  title = "\"Port unreachable\" on an established connection",
  asks = "Does a hard ICMP error abort a connection?",
  requires = {
    id = "SHLD-26", level = "SHOULD", rfc = "RFC 9293 section 3.9.2.2",
    says = "Destination unreachable with code 2 to 4 aborts the connection. RFC 5461 and RFC 5927 "
      .. "say why a stack may not want this.",
    met = "After \"port unreachable\" about unacknowledged data, kodos answers new data with a "
      .. "RST.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab)
    program:type "hello\n"
    lab:expect_packet("kodos > kang", "data")
    lab:icmp { error = "port-unreachable", about = conn }
    local alive, seen = tested.takes_data(lab, conn)
    lab:check(alive or seen:find "RST", "kodos answers new data", seen)
    lab:require(not alive, "the ICMP error aborts the connection", "kodos goes on")
  end,
}
