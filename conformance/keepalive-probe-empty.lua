local tested = include "tested.lib.lua"

return {
  title = "The form of a keepalive probe",
  asks = "Does a keepalive probe carry data?",
  requires = {
    id = "SHLD-12", level = "SHOULD", rfc = "RFC 9293 section 3.8.4",
    says = "A keepalive probe has no data.",
    met = "The first segment of kodos on an idle connection with keepalive has no data.",
  },
  tags = { "conformance" },

  run = function(lab)
    local _, program = tested.scripted(lab, { tested = { "--repl" } })
    tested.keepalive(lab, program)
    local probe = tested.packet(lab, "tcp", 6)
    lab:check(probe, "kodos sends a keepalive probe within 6 s")
    local size = probe.length or 0
    lab:require(size == 0, "the probe has no data", size .. " bytes")
  end,
}
