local tested = include "tested.lib.lua"

return {
  title = "Data after the end of the other direction",
  asks = "Can a program send after it has received a FIN?",
  requires = {
    id = "RFC9293-3.6.1", level = "behaviour", rfc = "RFC 9293 section 3.6.1",
    says = "A connection whose peer has closed still sends: each direction closes by itself.",
    met = "After a FIN, kodos sends the data of its program.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" } })
    conn:fin()
    lab:check(tested.packet(lab, "tcp", 2, { ack = 2 }), "kodos acknowledges the FIN")
    program:type "write hello\n"
    local data = tested.packet(lab, "data", 2)
    lab:require(data, "kodos sends data after the FIN of its peer", "none within 2 s")
  end,
}
