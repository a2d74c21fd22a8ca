-- A receiver acknowledges each segment beyond a hole with the number of the hole. The third such
-- duplicate ACK is the sign of a loss, long before a timeout.
local talk = include "talk.lib.lua"

return {
  title = "Three duplicate ACKs",
  asks = "When does a sender without SACK take a segment for lost?",
  source = "RFC 5681 section 3.2",
  here = "At the third duplicate ACK it retransmits the first unacknowledged segment, and no "
    .. "other. Any Linux version.",
  why = "tcp_is_reno() is true without SACK: tcp_add_reno_sack() counts duplicate ACKs, and "
    .. "tcp_time_to_recover() compares their number with tcp_reordering, 3.",
  tags = { "peer", "retransmission" },

  run = function(lab)
    local server, conn = talk.accepted(lab, { options = { mss = 1000 } }, talk.long_rto(lab))
    server:type "fill 5000\n"
    talk.expect_segments(conn, 1, 5, 1000)
    conn:ack { ack = 1 }
    conn:ack { ack = 1 }
    conn:expect_nothing(0.1)
    conn:ack { ack = 1 }
    conn:expect { seq = 1, length = 1000 }
    conn:expect_nothing(0.1)
    conn:ack { ack = 5001 }
    conn:expect_nothing(0.1)
  end,
}
