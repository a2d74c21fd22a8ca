local tested = include "tested.lib.lua"

return {
  title = "A gap, and a peer that does not know SACK",
  asks = "Does the stack leave out SACK that its peer does not permit?",
  requires = {
    id = "RFC2018-2", level = "MUST", rfc = "RFC 2018 sections 2 and 4",
    says = "An ACK has no SACK option, and a SYN-ACK does not permit SACK, if the SYN of the "
      .. "peer did not permit it.",
    met = "The SYN-ACK, and the ACK of a segment behind a gap, have neither option.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, _, _, _, syn_ack = tested.scripted(lab, { options = { mss = 1400 } })
    lab:require(not syn_ack.summary:find "sackOK", "the SYN-ACK does not permit SACK",
      syn_ack.summary)
    conn:data("world", { seq = 11 })
    local ack = tested.packet(lab, "ACK only", 2)
    lab:check(ack, "kodos sends an ACK")
    lab:require(not ack.sack or #ack.sack == 0, "the ACK has no SACK option", ack.summary)
  end,
}
