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
    local began = lab:now()
    conn:ack { ack = 1001, window = 50 }
    local data
    repeat
      -- A probe of the closed window has one byte, and may come now.
      data = tested.packet(lab, "data", began + 0.09 - lab:now())
    until not data or data.length > 1
    lab:require(not data, "kodos does not send into a window of 50 bytes at once",
      data and data.length .. " bytes")
    local span = tested.catch_up(lab, conn, { ack = 1001, window = 50 })
    lab:check(span < 0.03 and conn.snd_nxt <= 1002, "kodos acts within 0.03 s", span)
    conn:ack { ack = conn.snd_nxt, window = 65535 }
    lab:check(tested.packet(lab, "data", 10), "kodos sends data into a large window")
  end,
}
