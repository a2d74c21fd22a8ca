local tested = include "tested.lib.lua"

return {
  title = "An old ACK in SYN-SENT",
  asks = "Does a client reset what is left of an old connection?",
  requires = {
    id = "RFC9293-3.10.7.3-ack", level = "behaviour", rfc = "RFC 9293 section 3.10.7.3",
    says = "In SYN-SENT, an ACK of anything but the SYN gets a RST: the peer has an old "
      .. "connection.",
    met = "kodos answers an ACK of a number that it has not sent with a RST of that number.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    kodos:dnc(kang, 8080)
    local syn = lab:expect_packet("kodos > kang", "SYN")
    local old = (syn.seq + 70000) % 2 ^ 32
    lab:forge {
      to = kodos, from = kang, source_port = 8080, port = lab:connection(kodos).local_port,
      flags = "A", seq = 5000, ack = old,
    }
    local packet = tested.packet(lab, "RST", 2)
    lab:require(packet, "kodos answers an old ACK with a RST", "no RST within 2 s")
    lab:require(packet.seq == old, "the RST has the number of the acknowledgment", packet.seq)
  end,
}
