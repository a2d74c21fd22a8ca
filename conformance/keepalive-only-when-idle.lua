local tested = include "tested.lib.lua"

return {
  title = "Keepalive on a connection that is not idle",
  asks = "Does a connection that receives data get keepalive probes?",
  requires = {
    id = "MUST-26", level = "MUST", rfc = "RFC 9293 section 3.8.4",
    says = "Keepalives are sent only if nothing was received within the interval.",
    met = "With TCP_KEEPIDLE of 1 s and a segment every 0.3 s, kodos sends no probe for 3 s, and "
      .. "one after the last segment. A single probe is not seen: kodos may have been late.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" } })
    conn:data "x"
    tested.keepalive(lab, program)
    local sent = conn.snd_nxt
    local probes = 0
    for _ = 1, 11 do
      local at = lab:now()
      conn:data "x"
      local probe = tested.packet(lab, "tcp", 0.3, { seq = sent - 1 })
      -- On a busy machine the next segment may be late.
      if probe and probe.t - at < 0.9 then probes = probes + 1 end
    end
    lab:check(probes ~= 1, "kodos sends no probe, or more than one", "it sends one")
    lab:require(probes == 0, "kodos does not probe a connection that receives data",
      ("it sends %d probes"):format(probes))
    lab:check(tested.packet(lab, "tcp", 6, { seq = sent - 1 }), "kodos probes the idle connection")
  end,
}
