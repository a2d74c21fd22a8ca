local tested = include "tested.lib.lua"

return {
  title = "The shortest retransmission timeout",
  asks = "Is a retransmission timeout at least 1 s?",
  requires = {
    id = "RFC6298-2.4", level = "SHOULD", rfc = "RFC 6298 section 2.4",
    says = "A retransmission timeout of less than 1 s is rounded up to 1 s.",
    met = "On a network without delay, kodos waits for 0.95 s or longer before it sends lost data "
      .. "again.",
  },
  tags = { "conformance" },

  run = function(lab)
    local _, program = tested.scripted(lab)
    program:type "hello\n"
    local first = lab:expect_packet("kodos > kang", "data")
    local again = tested.packet(lab, "data", 8)
    lab:check(again, "kodos sends the data again within 8 s")
    lab:require(again.t - first.t > 0.95, "kodos waits for 1 s before it sends data again",
      ("it waits for %.2f s"):format(again.t - first.t))
  end,
}
