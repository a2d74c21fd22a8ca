local tested = include "tested.lib.lua"

return {
  title = "A source quench",
  asks = "Does the stack ignore a source quench?",
  requires = {
    id = "MUST-55", level = "MUST", rfc = "RFC 9293 section 3.9.2.2",
    says = "A source quench is dropped in silence.",
    met = "After a source quench about unacknowledged data, the connection goes on.",
  },
  tags = { "conformance" },
  families = { 4 },

  run = function(lab)
    local conn, program = tested.scripted(lab)
    program:type "hello\n"
    lab:expect_packet("kodos > kang", "data")
    lab:icmp { error = "source-quench", about = conn }
    conn:ack()
    local alive, seen = tested.takes_data(lab, conn)
    lab:require(alive, "the connection goes on", seen)
  end,
}
