local tested = include "tested.lib.lua"

return {
  title = "An acknowledgment in 20 pieces",
  asks = "Does a stack send more if its data is acknowledged in pieces?",
  requires = {
    id = "RFC5681-3.1", level = "SHOULD", rfc = "RFC 5681 section 3.1",
    says = "An ACK increases the congestion window by no more than the bytes that it "
      .. "acknowledges.",
    met = "After 20 ACKs for parts of one segment, kodos sends at most 4 new segments.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { options = { mss = 1000 } })
    program:type(("x"):rep(59999) .. "\n")
    local first = tested.flight(lab, conn)[1]
    lab:check(first, "kodos sends data within 3 s")
    local sent = conn.snd_nxt
    lab:check(sent < 30000, "kodos waits for an acknowledgment", sent)
    for i = 1, 20 do conn:ack { ack = 1 + i * first.length // 20 } end
    tested.rest(lab, conn)
    local new = (conn.snd_nxt - sent) / first.length
    lab:check(new > 0, "kodos sends more after an acknowledgment")
    lab:require(new <= 4, "kodos sends at most 4 new segments", ("it sends %.0f"):format(new))
  end,
}
