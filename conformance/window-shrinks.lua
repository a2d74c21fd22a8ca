local tested = include "tested.lib.lua"

return {
  title = "A window that shrinks",
  asks = "Does a connection survive a peer that takes back its window?",
  requires = {
    id = "MUST-34", level = "MUST", rfc = "RFC 9293 section 3.8.6",
    says = "A sender copes with a peer that shrinks its window.",
    met = "After an ACK that shrinks the window below what kodos has sent, kodos sends no RST, "
      .. "and sends more data when the window is open again.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { options = { mss = 500 } })
    program:type(("x"):rep(29999) .. "\n")
    local segments = #tested.flight(lab, conn)
    lab:check(segments > 1, "kodos sends two segments or more", segments)
    conn:ack { ack = 501, window = 100 }
    local reset = tested.packet(lab, "RST", 1)
    lab:require(not reset, "kodos does not give up", "it sends a RST")
    local sent = conn.snd_nxt
    conn:ack { window = 65535 }
    local more = tested.packet(lab, "data", 5, { seq = sent })
    lab:require(more, "kodos sends new data into the window that opens again", "none within 5 s")
  end,
}
