local tested = include "tested.lib.lua"

return {
  title = "New data after the window has shrunk",
  asks = "Does the stack stop when the window shrinks below what it has sent?",
  requires = {
    id = "SHLD-15", level = "SHOULD", rfc = "RFC 9293 section 3.8.6",
    says = "If the window shrinks below what was sent, the sender sends no new data.",
    met = "Within 1 s after such an ACK, kodos sends no data beyond what it had sent.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { options = { mss = 500 } })
    program:type(("x"):rep(29999) .. "\n")
    local segments = #tested.flight(lab, conn)
    lab:check(segments > 1, "kodos sends two segments or more", segments)
    local sent = conn.snd_nxt
    conn:ack { ack = 501, window = 100 }
    local new = tested.packet(lab, "data", 1, { seq = sent })
    lab:require(not new, "kodos sends no new data", "it sends data after what it had sent")
  end,
}
