-- With SACK a receiver says which segments beyond the hole have come. The sender then repairs all
-- holes in one round trip, and repeats nothing else.
local talk = include "talk.lib.lua"

return {
  title = "Only the holes",
  asks = "Which segments does a sender retransmit if SACK blocks show two holes?",
  source = "RFC 2018 section 8, RFC 6675, RFC 8985",
  here = "Exactly the two, at once. Any Linux version.",
  why = "tcp_sacktag_write_queue() marks what has come, tcp_rack_mark_lost() or "
    .. "tcp_update_scoreboard() what is lost before it, and tcp_xmit_retransmit_queue() sends it.",
  tags = { "peer", "retransmission" },

  run = function(lab)
    local options = { mss = 1000, sack_permitted = true }
    local server, conn = talk.accepted(lab, { options = options }, talk.long_rto(lab))
    server:type "fill 10000\n"
    talk.expect_segments(conn, 1, 10, 1000)
    conn:ack { ack = 1, options = { sack = { { 4001, 10001 }, { 1001, 3001 } } } }
    conn:expect { seq = 1, length = 1000 }
    conn:expect { seq = 3001, length = 1000 }
    conn:expect_nothing(0.1)
    conn:ack { ack = 3001, options = { sack = { { 4001, 10001 } } } }
    conn:ack { ack = 10001 }
    conn:expect_nothing(0.1)
  end,
}
