local tested = include "tested.lib.lua"

return {
  title = "A window with a scale of 7",
  asks = "Does the stack shift the window of its peer?",
  requires = {
    id = "RFC7323-2.3", level = "MUST", rfc = "RFC 7323 section 2.3",
    says = "Once both ends have sent a window scale, the window of each segment but a SYN is "
      .. "shifted.",
    met = "A window of 40 with a scale of 7 lets kodos send more than 40 and at most 5120 bytes.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, program, _, _, syn_ack = tested.scripted(lab, {
      options = { mss = 1000, window_scale = 7 }, tested = { "--repl" }, window = 40,
    })
    if not syn_ack.window_scale then lab:does_not_arise "kodos uses no window scale" end
    conn:ack { window = 40 }
    tested.settle(lab)
    program:type("write " .. ("x"):rep(9000) .. "\n")
    tested.flight(lab, conn)
    local sent = conn.snd_nxt - 1
    lab:require(sent > 40, "kodos sends more than 40 bytes", sent .. " bytes within 3 s")
    lab:require(sent <= 5120, "kodos sends at most 5120 bytes", sent .. " bytes")
  end,
}
