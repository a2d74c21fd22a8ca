local tested = include "tested.lib.lua"

return {
  title = "A handshake with a wrong acknowledgment",
  asks = "Does the stack refuse an ACK of anything but its SYN-ACK?",
  requires = {
    id = "RFC9293-3.10.7.4-syn-rcvd", level = "behaviour", rfc = "RFC 9293 section 3.10.7.4",
    says = "In SYN-RECEIVED, an ACK of anything but the SYN gets a RST whose sequence number is "
      .. "the acknowledgment.",
    met = "kodos answers an ACK 70,000 beyond its SYN-ACK with a RST of that number.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    tested.listener(lab, kodos)
    local syn_ack = tested.open(lab, kodos, kang)
    local wrong = (syn_ack.seq + 70000) % 2 ^ 32
    lab:forge {
      to = kodos, from = kang, source_port = 40000,
      port = tested.port(kodos), flags = "A", seq = 1001,
      ack = wrong,
    }
    local reset = tested.packet(lab, "RST", 2)
    lab:require(reset, "kodos answers a wrong acknowledgment with a RST", "no RST within 2 s")
    lab:require(reset.seq == wrong, "the RST has the number of the acknowledgment", reset.seq)
  end,
}
