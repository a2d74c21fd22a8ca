local tested = include "tested.lib.lua"

return {
  title = "Explicit congestion notification",
  asks = "Does the stack take part in ECN?",
  requires = {
    id = "SHLD-8", level = "SHOULD", rfc = "RFC 9293 section 3.8.2; RFC 3168 section 6.1.1",
    says = "The stack implements ECN.",
    met = "A SYN-ACK that answers a SYN with ECE and CWR has ECE, and not CWR.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    tested.listener(lab, kodos)
    local syn_ack = tested.open(lab, kodos, kang, { flags = "SEW", options = { mss = 1400 } })
    lab:require(syn_ack.flags:find "E" and not syn_ack.flags:find "W", "the SYN-ACK has ECE",
      "its flags are " .. syn_ack.flags)
  end,
}
