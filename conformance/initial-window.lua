local tested = include "tested.lib.lua"

return {
  title = "The first flight of data",
  asks = "How much does the stack send before the first acknowledgment?",
  requires = {
    id = "RFC6928-2", level = "behaviour", rfc = "RFC 6928 section 2; RFC 5681 section 3.1",
    says = "The initial window is at most 10 segments.",
    met = "kodos sends at most 10,000 bytes before the first acknowledgment, with an MSS of 1000.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { options = { mss = 1000 } })
    program:type(("x"):rep(59999) .. "\n")
    local packets = tested.flight(lab, conn)
    lab:check(#packets > 0, "kodos sends data within 3 s")
    local bytes = conn.snd_nxt - 1
    lab:require(bytes <= 10000, "the first flight has at most 10 segments of 1000 bytes",
      bytes .. " bytes")
  end,
}
