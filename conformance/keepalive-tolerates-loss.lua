local tested = include "tested.lib.lua"

return {
  title = "A lost keepalive probe",
  asks = "Does one lost probe end a connection?",
  requires = {
    id = "MUST-29", level = "MUST", rfc = "RFC 9293 section 3.8.4",
    says = "An unanswered keepalive probe alone does not mean that the connection is dead.",
    met = "With three probes allowed, kodos sends a second probe after an unanswered one, and "
      .. "goes on when that one is answered.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" } })
    tested.keepalive(lab, program)
    lab:check(tested.packet(lab, "tcp", 6), "kodos sends a keepalive probe within 6 s")
    local second = tested.packet(lab, "tcp", 6)
    lab:require(second and not second.flags:find "R", "kodos probes again",
      second and "it sends a RST" or "nothing within 6 s")
    conn:ack()
    local alive, seen = tested.takes_data(lab, conn)
    lab:require(alive, "the connection goes on after an answered probe", seen)
  end,
}
