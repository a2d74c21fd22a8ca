local tested = include "tested.lib.lua"

return {
  title = "The MSS option of a SYN-ACK",
  asks = "Does the stack tell its peer an MSS?",
  requires = {
    id = "SHLD-5", level = "SHOULD", rfc = "RFC 9293 section 3.7.1",
    says = "A SYN has an MSS option if the receive MSS is not the default of 536 (IPv4) or 1220 "
      .. "(IPv6).",
    met = "The SYN-ACK of kodos has an MSS option. Its network carries more than the default.",
  },
  tags = { "conformance" },

  run = function(lab)
    local _, _, _, _, syn_ack = tested.scripted(lab, { options = { mss = 1400 } })
    lab:require(syn_ack.summary:find "mss %d", "the SYN-ACK has an MSS option", syn_ack.summary)
  end,
}
