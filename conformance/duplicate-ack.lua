local tested = include "tested.lib.lua"

return {
  title = "An immediate duplicate ACK",
  asks = "Does a gap get an ACK at once?",
  requires = {
    id = "RFC5681-4.2", level = "SHOULD", rfc = "RFC 5681 section 4.2",
    says = "A segment out of order gets an immediate duplicate ACK.",
    met = "kodos answers three such segments with an ACK of the old number within 0.03 s each, "
      .. "before it answers two of them later.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    tested.say_hello(lab, conn)
    local late, seen = tested.count_late(lab, conn, 3, 2, function(number)
      conn:data("world", { seq = 6 + 10 * number })
      return tested.packet(lab, "ACK only", 0.03, { ack = 6 }), "none within 0.03 s"
    end)
    lab:require(late < 2, "a segment behind a gap gets a duplicate ACK at once", seen)
  end,
}
