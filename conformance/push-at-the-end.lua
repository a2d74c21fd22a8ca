local tested = include "tested.lib.lua"

return {
  title = "The last segment of a write",
  asks = "Does the last segment of the data have PSH?",
  requires = {
    id = "MUST-61", level = "MUST", rfc = "RFC 9293 section 3.9.1.2",
    says = "A stack without a PUSH flag in its calls sets PSH in the last segment, when no more "
      .. "data is queued.",
    met = "The last segment of a write of 2000 bytes has PSH.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { options = { mss = 1400 } })
    program:type(("x"):rep(1999) .. "\n")
    local last
    for _ = 1, 5 do
      -- All that is on the way, before an ACK: what comes after a forged segment is something else,
      -- such as a retransmission, which has PSH in some stacks.
      local packets = tested.flight(lab, conn)
      lab:check(#packets > 0, "kodos sends data")
      for _, packet in ipairs(packets) do
        if (packet.seq - conn.iss) % 2 ^ 32 + packet.length == 2001 then last = last or packet end
      end
      if last then break end
      conn:ack { ack = conn.snd_nxt }
    end
    lab:check(last, "kodos sends all data")
    lab:require(last.flags:find "P", "the last segment has PSH", "its flags are " .. last.flags)
  end,
}
