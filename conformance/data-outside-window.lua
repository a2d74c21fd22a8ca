local tested = include "tested.lib.lua"

return {
  title = "Data behind the window",
  asks = "Is data outside the window answered?",
  requires = {
    id = "RFC9293-3.10.7.4-unacceptable", level = "behaviour", rfc = "RFC 9293 section 3.10.7.4",
    says = "A segment outside the receive window gets an ACK, and is dropped.",
    met = "kodos answers data 1000 bytes behind its window with an ACK of the old number.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    tested.say_hello(lab, conn)
    conn:data("beyond", { seq = conn.rcv_nxt + conn.rcv_wnd + 1000 })
    local answer, packet = tested.answer(lab, 2)
    lab:require(answer == "an ACK", "kodos answers data behind its window with an ACK",
      "it sends " .. answer)
    lab:require((packet.ack - conn.irs) % 2 ^ 32 == 6, "the ACK has the old number",
      packet.summary)
  end,
}
