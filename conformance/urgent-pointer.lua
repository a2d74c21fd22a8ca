local tested = include "tested.lib.lua"

return {
  title = "Where the urgent pointer points",
  asks = "Does the urgent pointer point behind the urgent byte?",
  requires = {
    id = "MUST-62", level = "MUST", rfc = "RFC 9293 section 3.8.5",
    says = "The urgent pointer is the distance from the sequence number to the octet after the "
      .. "urgent data.",
    met = "The segment with URG, after two bytes that are not urgent and one that is, points "
      .. "behind the last one.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" } })
    program:type "write ab\n"
    lab:expect_packet("kodos > kang", "data", { seq = 1 })
    conn:ack { ack = 3 }
    program:type "send x oob\n"
    local urgent = tested.packet(lab, "URG", 2)
    if not urgent then lab:does_not_arise "kodos sends no urgent data" end
    local points = (urgent.seq - conn.iss + tonumber(urgent.summary:match "urg (%d+)")) % 2 ^ 32
    lab:require(points == 4, "the urgent pointer points to byte 4",
      ("it points to %d"):format(points))
  end,
}
