local tested = include "tested.lib.lua"

return {
  title = "An option of length 0",
  asks = "Does the stack survive an option with an illegal length?",
  requires = {
    id = "MUST-7", level = "MUST", rfc = "RFC 9293 section 3.1",
    says = "The stack copes with an illegal option length, such as 0, without crashing.",
    met = "After segments with an option of length 0, of length 1, and with one that is longer "
      .. "than the header, kodos still accepts a new connection.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, _, kodos, kang = tested.scripted(lab, { tested = { "-k" } })
    for _, raw in ipairs { "\253\0\1\1", "\253\1\1\1", "\253\40\1\1" } do
      conn:data("hello", { options = { raw = raw } })
    end
    tested.settle(lab)
    conn:rst()
    lab:forge {
      to = kodos, from = kang, source_port = 40001,
      port = tested.port(kodos), flags = "S", seq = 5000,
    }
    local again = tested.packet(lab, "SYN ACK", 3)
    lab:require(again, "kodos accepts a connection after illegal options", "no SYN-ACK within 3 s")
  end,
}
