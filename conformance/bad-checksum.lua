local tested = include "tested.lib.lua"

return {
  title = "A segment with a wrong checksum",
  asks = "Does the stack drop a segment whose checksum is wrong?",
  requires = {
    id = "MUST-3", level = "MUST", rfc = "RFC 9293 section 3.1",
    says = "The receiver checks the checksum, and drops a segment whose checksum is wrong.",
    met = "A damaged segment is not acknowledged, and the program reads the bytes of the good one "
      .. "after it.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab)
    local damage = lab:corrupt("kang > kodos", "data", { count = 1 })
    conn:data "good\n"
    local answer, packet = tested.answer(lab, 0.5)
    local taken = packet and (packet.ack - conn.irs) % 2 ^ 32 > 1
    lab:require(not taken, "kodos does not acknowledge a damaged segment", "it sends " .. answer)
    damage:remove()
    conn:data("good\n", { seq = 1 })
    lab:require(tested.await(lab, program, 3):prints "good",
      "the program reads the undamaged bytes",
      "it prints " .. program:output())
  end,
}
