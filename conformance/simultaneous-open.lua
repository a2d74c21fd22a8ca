local tested = include "tested.lib.lua"

return {
  title = "Two SYNs that cross",
  asks = "Does the stack connect if its SYN crosses that of its peer?",
  requires = {
    id = "MUST-10", level = "MUST", rfc = "RFC 9293 section 3.5",
    says = "A connection may be opened by both ends at once.",
    met = "kodos answers the SYN that crosses its own with a SYN-ACK, and its connect(2) succeeds "
      .. "after the acknowledgment.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    local program = kodos:dnc(kang, 8080)
    lab:expect_packet("kodos > kang", "SYN")
    local port = lab:connection(kodos).local_port
    lab:forge {
      to = kodos, from = kang, source_port = 8080, port = port, flags = "S", seq = 1000,
    }
    local packet = tested.packet(lab, "SYN ACK", 2)
    lab:require(packet, "kodos answers a SYN that crosses its own with a SYN-ACK",
      "no SYN-ACK within 2 s")
    lab:forge {
      to = kodos, from = kang, source_port = 8080, port = port, flags = "A", seq = 1001,
      ack = (packet.seq + 1) % 2 ^ 32,
    }
    lab:require(lab:await(program, 3):call("connect"):returns(0), "connect(2) succeeds",
      "it has not succeeded within 3 s")
  end,
}
