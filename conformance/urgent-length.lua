local tested = include "tested.lib.lua"

return {
  title = "Urgent data in several segments",
  asks = "May urgent data be longer than a segment?",
  requires = {
    id = "MUST-31", level = "MUST", rfc = "RFC 9293 section 3.8.5",
    says = "Urgent data may have any length.",
    met = "The first segment of 2500 bytes of urgent data, with an MSS of 1000, has URG, and its "
      .. "pointer points behind the last byte.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program =
      tested.scripted(lab, { tested = { "--repl" }, options = { mss = 1000 } })
    program:type("send " .. ("x"):rep(2500) .. " oob\n")
    local urgent = tested.packet(lab, "URG", 2)
    if not urgent then lab:does_not_arise "kodos sends no urgent data" end
    local from = (urgent.seq - conn.iss) % 2 ^ 32
    local points = from + tonumber(urgent.summary:match "urg (%d+)")
    lab:require(from == 1 and points == 2501, "byte 1 has URG, and its pointer is at byte 2501",
      ("byte %d has, and its pointer is at %d"):format(from, points))
  end,
}
