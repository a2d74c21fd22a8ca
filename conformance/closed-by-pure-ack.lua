local tested = include "tested.lib.lua"

return {
  title = "An ACK that only closes the window",
  asks = "Does the stack obey an ACK that closes the window and acknowledges nothing new?",
  requires = {
    id = "RFC9293-3.10.7.4-window", level = "behaviour", rfc = "RFC 9293 section 3.10.7.4",
    says = "An ACK with the sequence and acknowledgment numbers of the last one updates the "
      .. "window.",
    met = "After an ACK with window 0 that acknowledges nothing new, kodos sends no data for 0.15 "
      .. "s, but for a probe of one byte.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" } })
    conn:ack { window = 0 }
    tested.catch_up(lab, conn, { window = 0 })
    program:type "write hello\n"
    lab:expect(program):call("write"):returns(5)
    local data = tested.early(lab, conn, "data", 0.15, { ack = 1, window = 0 })
    -- A probe of the closed window has one byte at most.
    if data and data.length == 1 then data = nil end
    lab:require(not data, "kodos sends no data into a window of 0",
      data and data.length .. " bytes")
    conn:ack { window = 65535 }
    lab:check(tested.packet(lab, "data", 10), "kodos sends data into an open window")
  end,
}
