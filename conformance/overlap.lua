local tested = include "tested.lib.lua"

return {
  title = "A segment that is half old",
  asks = "Does the stack take the new half of a segment?",
  requires = {
    id = "RFC9293-3.10.7.4-overlap", level = "behaviour", rfc = "RFC 9293 section 3.10.7.4",
    says = "Of a segment that is partly old, the new part is taken.",
    met = "After the bytes 1 to 5, kodos takes the new bytes of a segment with the bytes 3 to 8: "
      .. "it acknowledges 9, and its program reads each byte once.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab)
    conn:data "abcde"
    lab:check(tested.packet(lab, "tcp", 2, { ack = 6 }), "kodos acknowledges data")
    conn:data("cdefg\n", { seq = 3 })
    lab:require(tested.packet(lab, "tcp", 2, { ack = 9 }), "kodos acknowledges the new half",
      "it does not within 2 s")
    lab:require(tested.await(lab, program, 2):prints "abcdefg\n",
      "its program reads each byte once",
      "it prints " .. program:output())
  end,
}
