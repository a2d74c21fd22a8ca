local tested = include "tested.lib.lua"

return {
  title = "A FIN that overtakes its data",
  asks = "Does the stack keep a FIN that arrives before the data?",
  requires = {
    id = "RFC9293-3.10.7.4-fin", level = "behaviour", rfc = "RFC 9293 section 3.10.7.4",
    says = "A FIN that arrives before the last data is kept like data, or is at least "
      .. "acknowledged when the data is there.",
    met = "After FIN and then the missing data, one ACK of kodos covers both, without a second "
      .. "FIN.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    conn:fin { seq = 6 }
    lab:wait(0.1)
    conn:data("hello", { seq = 1 })
    local packet = tested.packet(lab, "tcp", 2, { ack = 7 })
    lab:require(packet, "kodos acknowledges the data and the FIN",
      "no acknowledgment of the FIN within 2 s")
  end,
}
