local tested = include "tested.lib.lua"

return {
  title = "An ICMP error on an established connection",
  asks = "Does \"host unreachable\" end a connection?",
  requires = {
    id = "MUST-56", level = "MUST", rfc = "RFC 9293 section 3.9.2.2",
    says = "Destination unreachable with code 0, 1 or 5, time exceeded and parameter problem do "
      .. "not abort a connection.",
    met = "After net unreachable, host unreachable, time exceeded and parameter problem about "
      .. "unacknowledged data, the connection goes on.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab)
    program:type "hello\n"
    lab:expect_packet("kodos > kang", "data")
    local errors = { "net-unreachable", "host-unreachable", "time-exceeded", "parameter-problem" }
    for _, error in ipairs(errors) do lab:icmp { error = error, about = conn } end
    local reset = tested.packet(lab, "RST", 0.15)
    lab:require(not reset, "no ICMP error aborts the connection", "kodos sends a RST")
    conn:ack()
    local alive, seen = tested.takes_data(lab, conn)
    lab:require(alive, "the connection goes on", seen)
  end,
}
