local tested = include "tested.lib.lua"

return {
  title = "A SYN that is no ECN-setup SYN",
  asks = "Does the stack leave out ECN that its peer does not offer?",
  requires = {
    id = "RFC3168-6.1.1", level = "MUST", rfc = "RFC 3168 section 6.1.1",
    says = "Only a SYN with both ECE and CWR is answered with ECE.",
    met = "The SYN-ACKs that answer a SYN without ECE and CWR, and one with ECE only, have no ECE.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    tested.listener(lab, kodos)
    for port, flags in ipairs { "S", "SE" } do
      local syn_ack = tested.open(lab, kodos, kang, { flags = flags, port = 40000 + port })
      lab:require(not syn_ack.flags:find "E", "the SYN-ACK has no ECE",
        ("after %s its flags are %s"):format(flags, syn_ack.flags))
    end
  end,
}
