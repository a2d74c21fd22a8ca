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
    local bytes = 0
    for _, packet in ipairs(tested.flight(lab, conn)) do bytes = bytes + packet.length end
    lab:check(bytes > 0, "kodos sends data within 3 s")
    lab:check(bytes == conn.snd_nxt - 1, "kodos sends nothing twice", bytes .. " bytes")
    conn:ack { ack = 1001 }
    local span = tested.catch_up(lab, conn, { ack = 1001 })
    lab:check(span < 0.05, "kodos acts before its timeout", ("it takes %.2f s"):format(span))
    if conn.snd_nxt < 5001 then
      lab:does_not_arise "kodos has fewer than four segments in flight"
    end
    for _ = 1, 3 do conn:ack { ack = 1001 } end
    local again = tested.packet(lab, "data", 0.1, { seq = 1001 })
    if not again then tested.check_prompt(lab, conn, { ack = 1001 }) end
    lab:require(again, "kodos sends the missing segment again at once", "not within 0.1 s")
  end,
}
