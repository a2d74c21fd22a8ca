local tested = include "tested.lib.lua"

return {
  title = "A close with unread data",
  asks = "Does the peer learn that its data was not read?",
  requires = {
    id = "SHLD-3", level = "SHOULD", rfc = "RFC 9293 section 3.6.1",
    says = "A close while received data is unread sends a RST: the data was lost.",
    met = "kodos sends a RST when its program closes with 5 unread bytes.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" } })
    conn:data "hello"
    lab:expect_packet("kodos > kang", "tcp", { ack = 6 })
    program:type "close\n"
    local answer = tested.answer(lab, 3)
    lab:require(answer == "a RST", "kodos sends a RST when it closes with unread data",
      "it sends " .. answer)
  end,
}
