local tested = include "tested.lib.lua"

return {
  title = "Data that acknowledges the future",
  asks = "Is data refused that acknowledges what was never sent?",
  requires = {
    id = "RFC9293-3.10.7.4-ack", level = "behaviour", rfc = "RFC 9293 section 3.10.7.4",
    says = "A segment that acknowledges what was never sent gets an ACK, and is dropped with its "
      .. "data.",
    met = "kodos does not acknowledge data that acknowledges a byte 1 GB ahead.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    conn:data("injected", { ack = 1000000000 })
    local taken = tested.takes_injected(lab, conn, #"injected")
    lab:require(not taken, "kodos drops data with an acknowledgment 1 GB ahead",
      "it takes the data")
    tested.check_alive(lab, conn)
  end,
}
