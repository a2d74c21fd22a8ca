local tested = include "tested.lib.lua"

return {
  title = "A keepalive interval of 1 s",
  asks = "Can a program choose when keepalive begins?",
  requires = {
    id = "MUST-27", level = "MUST", rfc = "RFC 9293 section 3.8.4",
    says = "The interval after which keepalives begin is configurable.",
    met = "With TCP_KEEPIDLE of 1 s, the first probe of kodos leaves 0.8 s to 4 s after it has "
      .. "acknowledged data.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" } })
    tested.keepalive(lab, program)
    -- The time counts from the last segment that kodos has received.
    conn:data "x"
    local answer = tested.packet(lab, "ACK only", 2)
    lab:check(answer, "kodos acknowledges data")
    local began = answer.t
    local probe = tested.packet(lab, "tcp", 6)
    local span = probe and probe.t - began
    lab:require(span and span > 0.8 and span < 4, "the first probe follows after 1 s",
      span and ("after %.1f s"):format(span) or "no probe within 6 s")
  end,
}
