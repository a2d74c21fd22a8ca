local tested = include "tested.lib.lua"

return {
  title = "Three duplicate ACKs",
  asks = "Is lost data sent again before the timeout?",
  requires = {
    id = "RFC5681-3.2", level = "SHOULD", rfc = "RFC 5681 section 3.2",
    says = "After three duplicate ACKs the missing segment is sent again without waiting for the "
      .. "timeout.",
    met = "kodos sends its first segment again within 0.1 s after the third of three duplicate "
      .. "ACKs. Its timeout is longer.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { options = { mss = 1000 } })
    program:type(("x"):rep(59999) .. "\n")
    lab:expect_packet("kodos > kang", "data", { seq = 1 })
    local _, _, packets = tested.burst(lab, 0.05)
    conn:ack { ack = 1001 }
    local _, more = tested.burst(lab, 0.05)
    if #packets + more < 4 then
      lab:does_not_arise "kodos has fewer than four segments in flight"
    end
    for _ = 1, 3 do conn:ack { ack = 1001 } end
    local again = tested.packet(lab, "data", 0.1, { seq = 1001 })
    lab:require(again, "kodos sends the missing segment again at once", "not within 0.1 s")
  end,
}
