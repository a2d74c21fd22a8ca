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
    local first = lab:expect_packet("kodos > kang", "data", { seq = 1 })
    local bytes = first.length + tested.burst(lab, 0.1)
    lab:check(bytes < 30000, "kodos waits for an acknowledgment", bytes)
    local sent = conn.snd_nxt
    for i = 1, 20 do conn:ack { ack = 1 + i * first.length // 20 } end
    local _, segments = tested.burst(lab, 0.1)
    lab:check(segments > 0, "kodos sends more after an acknowledgment")
    local new = (conn.snd_nxt - sent) / first.length
    lab:require(new <= 4, "kodos sends at most 4 new segments", ("it sends %.0f"):format(new))
  end,
}
