local tested = include "tested.lib.lua"

return {
  title = "Data with an old acknowledgment",
  asks = "Is data refused whose acknowledgment is older than any window?",
  requires = {
    id = "MAY-12", level = "MAY", rfc = "RFC 9293 section 3.10.7.4; RFC 5961 section 5.2",
    says = "Data whose acknowledgment is more than a window old is dropped, and gets an ACK: it "
      .. "may be injected.",
    met = "kodos does not acknowledge data that acknowledges a byte 1 MB before its first one.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    conn:data("injected", { ack = -1000000 })
    local taken = tested.takes_injected(lab, conn, #"injected")
    lab:require(not taken, "kodos drops data with an acknowledgment 1 MB too old",
      "it takes the data")
    tested.check_alive(lab, conn)
  end,
}
