local tested = include "tested.lib.lua"

return {
  title = "Keepalive on a connection that is not idle",
  asks = "Does a connection that receives data get keepalive probes?",
  requires = {
    id = "MUST-26", level = "MUST", rfc = "RFC 9293 section 3.8.4",
    says = "Keepalives are sent only if nothing was received within the interval.",
    met = "With TCP_KEEPIDLE of 1 s and a segment every 0.4 s, kodos sends no probe for 3 s, and "
      .. "one after the last segment.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program = tested.scripted(lab, { tested = { "--repl" } })
    conn:data "x"
    tested.keepalive(lab, program)
    local sent = conn.snd_nxt
    for _ = 1, 8 do
      local at = lab:now()
      conn:data "x"
      local probe = tested.packet(lab, "tcp", 0.4, { seq = sent - 1 })
      -- On a busy machine the next segment may be late.
      local early = probe and probe.t - at < 0.9
      lab:require(not early, "kodos does not probe a connection that receives data",
        "it sends a probe")
    end
    lab:check(tested.packet(lab, "tcp", 6, { seq = sent - 1 }), "kodos probes the idle connection")
  end,
}
