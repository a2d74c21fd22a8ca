local tested = include "tested.lib.lua"

return {
  title = "A RST to a port without a listener",
  asks = "Does the stack leave a RST to a closed port unanswered?",
  requires = {
    id = "RFC9293-3.10.7.1-rst", level = "behaviour", rfc = "RFC 9293 section 3.10.7.1",
    says = "A RST to a port without a connection is dropped.",
    met = "Nothing answers a RST to a closed port within 0.5 s, nor before the answer to a later "
      .. "SYN.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    lab:forge { to = kodos, from = kang, source_port = 40000, port = 9, flags = "R", seq = 1000 }
    local answer = tested.answer(lab, 0.5)
    lab:require(answer == "nothing", "nothing answers the RST", "kodos sends " .. answer)
    -- It may be late. Then it answers the RST before a SYN.
    tested.listener(lab, kodos)
    lab:forge {
      to = kodos, from = kang, source_port = 39999,
      port = tested.port(kodos), flags = "S", seq = 1000,
    }
    answer = tested.answer(lab, 5)
    lab:check(answer ~= "nothing", "kodos answers a SYN")
    lab:require(answer == "a SYN-ACK", "nothing answers the RST", "kodos sends " .. answer)
  end,
}
