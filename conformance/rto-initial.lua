local tested = include "tested.lib.lua"

return {
  title = "The first retransmission of a SYN",
  asks = "How long does the stack wait for the answer to its first SYN?",
  requires = {
    id = "RFC6298-2.1", level = "SHOULD", rfc = "RFC 6298 section 2.1",
    says = "Until there is a round-trip time, the retransmission timeout is 1 s.",
    met = "The second SYN leaves 0.8 s to 1.5 s after the first.",
  },
  tags = { "conformance" },

  run = function(lab)
    local kang, kodos = lab:pair()
    tested.silence(lab)
    kodos:dnc(kang, 8080)
    local first = lab:expect_packet("kodos > kang", "SYN")
    local again = tested.packet(lab, "SYN", 8)
    local span = again and again.t - first.t
    if span and span > 1.5 and span < 2.2 then
      -- Its timer may be slow, or the host late. Then the next interval tells: it is twice as long.
      local third = tested.packet(lab, "SYN", 8)
      local ratio = third and (third.t - again.t) / span or 0
      lab:check(ratio > 1.7, "the next interval is twice as long", ("%.2f times"):format(ratio))
    end
    lab:require(span and span > 0.8 and span < 1.5, "the second SYN follows after 1 s",
      span and ("after %.1f s"):format(span) or "no second SYN within 8 s")
  end,
}
