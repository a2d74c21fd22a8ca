local tested = include "tested.lib.lua"

return {
  title = "Two small writes",
  asks = "Does the stack hold a second small segment until the first is acknowledged?",
  requires = {
    id = "SHLD-7", level = "SHOULD", rfc = "RFC 9293 section 3.7.4",
    says = "While data is unacknowledged, small pieces of new data wait (the Nagle algorithm).",
    met = "The second of two small writes is not sent within 0.1 s while the first is "
      .. "unacknowledged, and is sent after the acknowledgment.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" }, options = { mss = 1400 } })
    program:type "write one\n"
    lab:expect_packet("kodos > kang", "data", { seq = 1 })
    program:type "write two\n"
    lab:expect(program):call("write"):returns(3)
    lab:expect(program):call("write"):returns(3)
    local early = tested.early(lab, conn, "data", 0.1, { ack = 1 }, { seq = 4 })
    lab:require(not early, "kodos holds the second small segment", "it sends it at once")
    conn:ack { ack = 4 }
    local late = tested.packet(lab, "data", 3, { seq = 4 })
    lab:require(late, "kodos sends it after the acknowledgment", "it does not within 3 s")
  end,
}
