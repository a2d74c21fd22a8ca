-- After a fast retransmission, an ACK that covers only part of what was outstanding says that the
-- next segment is lost, too.
local talk = include "talk.lib.lua"

return {
  title = "A partial ACK",
  asks = "Two segments of a window are lost. Does the second one wait for a timeout?",
  source = "RFC 6582 section 3.2",
  here = "No. The ACK that the first retransmission brings acknowledges only part of the window, "
    .. "and the sender retransmits the next hole at once. Any Linux version.",
  why = "tcp_try_undo_partial() and tcp_identify_packet_loss() in net/ipv4/tcp_input.c: in "
    .. "recovery without SACK, a partial ACK marks the next segment as lost (NewReno).",
  tags = { "peer", "retransmission" },

  run = function(lab)
    local server, conn = talk.accepted(lab, { options = { mss = 1000 } }, talk.long_rto(lab))
    server:type "fill 8000\n"
    talk.expect_segments(conn, 1, 8, 1000)
    -- Segments 1 and 4 of 8 are missing: 6 duplicate ACKs.
    for _ = 1, 6 do conn:ack { ack = 1 } end
    conn:expect { seq = 1, length = 1000 }
    conn:ack { ack = 3001 }
    conn:expect { seq = 3001, length = 1000 }
    conn:ack { ack = 8001 }
    conn:expect_nothing(0.1)
  end,
}
