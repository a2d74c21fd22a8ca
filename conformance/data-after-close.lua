local tested = include "tested.lib.lua"

return {
  title = "Data after a close",
  asks = "Does the peer learn that nobody reads its data any more?",
  requires = {
    id = "SHLD-3", level = "SHOULD", rfc = "RFC 9293 section 3.6.1",
    says = "Data that arrives after a close is answered with a RST: the data was lost.",
    met = "kodos sends a RST for data that arrives after its program has closed.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" } })
    program:type "close\n"
    lab:expect_packet("kodos > kang", "FIN")
    conn:ack()
    conn:data "too late"
    local packet = tested.packet(lab, "RST", 2)
    lab:require(packet, "kodos answers data after its close with a RST", "no RST within 2 s")
  end,
}
