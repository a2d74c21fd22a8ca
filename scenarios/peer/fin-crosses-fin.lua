-- If both ends close at once, each gets a FIN in place of an ACK. Then both stay in TIME_WAIT.
local states = include "states.lib.lua"

return {
  title = "FIN and FIN",
  asks = "Both FINs cross. Who acknowledges what, and what if the ACK is lost?",
  source = "RFC 9293 section 3.6, Figure 13",
  here = "Each end acknowledges the other's FIN, and goes to CLOSING. There it repeats its own FIN "
    .. "until that is acknowledged, and then it is in TIME_WAIT. Any Linux version.",
  why = "tcp_fin() in net/ipv4/tcp_input.c moves from FIN_WAIT1 to CLOSING. tcp_retransmit_timer() "
    .. "still runs there.",
  tags = { "peer", "close", "simultaneous" },

  run = function(lab)
    local kang, kodos = lab:pair { peer = "kang" }
    local conn = states.CLOSING(lab, lab:peer(kang), kodos, 8080)
    lab:expect(kodos):in_state "CLOSING"
    conn:expect { flags = "FA", seq = 1, ack = 2 }
    conn:ack { ack = 2 }
    lab:expect(kodos):in_state "TIME_WAIT"
    -- The peer's FIN, as if the ACK of it was lost.
    conn:fin { seq = 1 }
    conn:expect { flags = "A", seq = 2, ack = 2, skip = true }
    lab:expect(kodos):still_in_state "TIME_WAIT"
  end,
}
