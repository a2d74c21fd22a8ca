local tested = include "tested.lib.lua"

return {
  title = "The timestamp that a SYN-ACK echoes",
  asks = "Does a SYN-ACK echo the timestamp of the SYN?",
  requires = {
    id = "RFC7323-3.2-d", level = "MUST", rfc = "RFC 7323 section 3.2",
    says = "TSecr of a SYN-ACK is the timestamp of the SYN.",
    met = "The SYN-ACK that answers a SYN with timestamp 1234567 echoes 1234567.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    tested.listener(lab, kodos)
    local syn_ack =
      tested.open(lab, kodos, kang, { options = { timestamps = { value = 1234567, echo = 0 } } })
    if not syn_ack.tsval then lab:does_not_arise "kodos uses no timestamps" end
    lab:require(syn_ack.tsecr == 1234567, "the SYN-ACK echoes the timestamp of the SYN",
      syn_ack.tsecr)
  end,
}
