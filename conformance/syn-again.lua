local tested = include "tested.lib.lua"

return {
  title = "A SYN that is not answered",
  asks = "Is a SYN sent again, more than once?",
  requires = {
    id = "MUST-22", level = "MUST", rfc = "RFC 9293 section 3.8.3",
    says = "Retransmissions of a SYN are handled like those of data.",
    met = "kodos sends its SYN at least three times within 12 s.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    kodos:dnc(kang, 8080)
    local first = lab:expect_packet("kodos > kang", "SYN")
    for number = 2, 3 do
      local again = tested.packet(lab, "SYN", first.t + 12 - lab:now())
      lab:require(again, "kodos sends its SYN three times",
        ("only %d within 12 s"):format(number - 1))
    end
  end,
}
