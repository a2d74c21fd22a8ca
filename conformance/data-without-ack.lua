local tested = include "tested.lib.lua"

return {
  title = "Data without the ACK flag",
  asks = "Is data refused that has no ACK flag?",
  requires = {
    id = "RFC9293-3.10.7.4-no-ack", level = "behaviour", rfc = "RFC 9293 section 3.10.7.4",
    says = "On a synchronized connection, a segment without the ACK flag is dropped.",
    met = "kodos does not acknowledge data without the ACK flag.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    conn:segment { flags = "P", data = "injected" }
    local taken = tested.takes_injected(lab, conn, #"injected")
    lab:require(not taken, "kodos drops data without the ACK flag", "it takes the data")
    tested.check_alive(lab, conn)
  end,
}
