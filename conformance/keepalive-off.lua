local tested = include "tested.lib.lua"

return {
  title = "An idle connection",
  asks = "Are there no keepalive probes unless a program asks for them?",
  requires = {
    id = "MUST-25", level = "MUST", rfc = "RFC 9293 section 3.8.4",
    says = "Keepalives are off by default.",
    met = "kodos sends nothing on a connection that is idle for 8 s. A default that begins later "
      .. "is not seen.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn = tested.scripted(lab)
    lab:wait(0.5)
    local packet = tested.packet(lab, "tcp", 8)
    lab:require(not packet, "kodos sends nothing on an idle connection",
      packet and packet.summary)
    tested.check_alive(lab, conn)
  end,
}
