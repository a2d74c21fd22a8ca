local tested = include "tested.lib.lua"

return {
  title = "A window of 50 bytes",
  asks = "Does the sender wait for more window than a few bytes?",
  requires = {
    id = "MUST-38", level = "MUST", rfc = "RFC 9293 section 3.8.6.2.1",
    says = "The sender avoids the silly window syndrome: it does not fill a small window at once.",
    met = "After a closed window opens by 50 bytes, with 5000 to send, kodos sends nothing new "
      .. "for 0.09 s: the override timeout is 0.1 s or more.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" }, options = { mss = 1000 } })
    tested.close_window(lab, conn, program)
    conn:ack { ack = 1001, window = 50 }
    local data = tested.packet(lab, "data", 0.09)
    -- A probe of the closed window has one byte, and may come now.
    if data and data.length == 1 then data = nil end
    lab:require(not data, "kodos does not send into a window of 50 bytes at once",
      data and data.length .. " bytes")
    conn:ack { ack = conn.snd_nxt, window = 65535 }
    lab:check(tested.packet(lab, "data", 10), "kodos sends data into a large window")
  end,
}
