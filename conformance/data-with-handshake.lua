local tested = include "tested.lib.lua"

return {
  title = "Data in the last segment of the handshake",
  asks = "Does the stack take data that completes the handshake?",
  requires = {
    id = "RFC9293-3.10.7.4-syn-rcvd-data", level = "behaviour", rfc = "RFC 9293 section 3.10.7.4",
    says = "The ACK that completes the handshake may have data: the connection is then "
      .. "established, and processing goes on.",
    met = "The program of kodos reads 5 bytes that come with the third segment of the handshake.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    local program = tested.listener(lab, kodos)
    local syn_ack = tested.open(lab, kodos, kang)
    lab:forge {
      to = kodos, from = kang, source_port = 40000,
      port = tested.port(kodos), flags = "PA", seq = 1001,
      ack = (syn_ack.seq + 1) % 2 ^ 32, data = "early\n",
    }
    local accepted = tested.await(lab, program, 3):call("accept"):returns()
    lab:check(accepted, "its program accepts the connection")
    lab:require(tested.await(lab, program, 3):prints "early", "its program reads the data",
      "it does not within 3 s")
  end,
}
