local tested = include "tested.lib.lua"

return {
  title = "A SYN without a window scale",
  asks = "Does the stack leave out a window scale that its peer does not offer?",
  requires = {
    id = "RFC7323-2.2", level = "behaviour", rfc = "RFC 7323 section 2.2",
    says = "A SYN-ACK has a window scale only if the SYN had one.",
    met = "The SYN-ACK that answers a SYN without a window scale has none.",
  },
  tags = { "conformance" },

  run = function(lab)
    local _, _, _, _, syn_ack = tested.scripted(lab)
    lab:require(not syn_ack.window_scale, "the SYN-ACK has no window scale", syn_ack.summary)
  end,
}
