local tested = include "tested.lib.lua"

return {
  title = "A FIN that is not answered",
  asks = "Is a FIN sent again?",
  requires = {
    id = "fin-retries", level = "behaviour", rfc = "RFC 9293 section 3.8.1",
    says = "A FIN that nobody acknowledges is sent again.",
    met = "kodos sends its FIN a second time within 8 s.",
  },
  tags = { "conformance" },

  run = function(lab)
    local _, program = tested.scripted(lab)
    program:stop()
    lab:expect_packet("kodos > kang", "FIN")
    local again = tested.packet(lab, "FIN", 8)
    lab:require(again, "kodos sends its FIN again", "not within 8 s")
  end,
}
