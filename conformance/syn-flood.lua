local tested = include "tested.lib.lua"

return {
  title = "200 SYNs that nobody completes",
  asks = "Does a listener survive a SYN flood?",
  requires = {
    id = "RFC4987-3", level = "behaviour", rfc = "RFC 4987 section 3",
    says = "Connections that nobody completes do not keep others from connecting.",
    met = "After 200 SYNs from 200 ports without an ACK, kodos answers another SYN with a "
      .. "SYN-ACK within 3 s, and connects.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    local program = tested.listener(lab, kodos)
    local function send(port, flags, ack)
      lab:forge {
        to = kodos, from = kang, source_port = port, port = tested.port(kodos), flags = flags,
        seq = flags == "S" and 1000 or 1001, ack = ack, options = { mss = 1400 },
      }
    end
    for port = 40001, 40200 do send(port, "S") end
    lab:check(tested.packet(lab, "SYN ACK", 2), "kodos answers a SYN")
    tested.burst(lab, 0.3, "SYN ACK")
    send(50000, "S")
    local ends = lab:now() + 3
    local answer
    repeat answer = tested.packet(lab, "SYN ACK", ends - lab:now())
    until not answer or answer.destination:find "[:.]50000$"
    lab:require(answer, "kodos answers the SYN after the flood", "no SYN-ACK within 3 s")
    send(50000, "A", (answer.seq + 1) % 2 ^ 32)
    local accepted = tested.await(lab, program, 3):call("accept"):returns()
    lab:require(accepted and accepted.result >= 0, "its program accepts the connection",
      "it does not within 3 s")
  end,
}
