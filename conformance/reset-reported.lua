local tested = include "tested.lib.lua"

return {
  title = "A connection that the peer has reset",
  asks = "Does the program learn that its connection was reset?",
  requires = {
    id = "MUST-12", level = "MUST", rfc = "RFC 9293 section 3.6",
    says = "If a RST ends a connection, the program is told that it was reset, and not closed.",
    met = "The read of the program fails. An end of the stream is the sign of a FIN.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab)
    conn:rst()
    local read = tested.await(lab, program, 3):call("read"):returns()
    lab:require(read and read.result < 0, "read(2) fails after a RST",
      read and "it returns " .. read.result or "it has not returned within 3 s")
  end,
}
