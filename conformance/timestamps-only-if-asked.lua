local tested = include "tested.lib.lua"

return {
  title = "A SYN without timestamps",
  asks = "Does the stack leave out timestamps that its peer does not offer?",
  requires = {
    id = "RFC7323-3.2-c", level = "behaviour", rfc = "RFC 7323 section 3.2",
    says = "A SYN-ACK has timestamps only if the SYN had them.",
    met = "The SYN-ACK that answers a SYN without timestamps has none.",
  },
  tags = { "conformance" },

  run = function(lab)
    local _, _, _, _, syn_ack = tested.scripted(lab)
    lab:require(not syn_ack.tsval, "the SYN-ACK has no timestamps", syn_ack.summary)
  end,
}
