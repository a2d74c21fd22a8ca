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
    local last = tested.packet(lab, "data", 3)
    lab:check(last, "kodos sends data")
    local sent = last.length
    while last and sent < 2000 do
      conn:ack { ack = 1 + sent }
      last = tested.packet(lab, "data", 3, { seq = 1 + sent })
      sent = sent + (last and last.length or 0)
    end
    lab:check(last, "kodos sends all data")
    lab:require(last.flags:find "P", "the last segment has PSH", "its flags are " .. last.flags)
  end,
}
