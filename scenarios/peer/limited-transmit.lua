-- With a small congestion window there may never be three duplicate ACKs. So the first two each
-- let one new segment go, whose arrival causes another.
local talk = include "talk.lib.lua"

return {
  title = "Limited transmit",
  asks = "What does a sender do at the first and the second duplicate ACK?",
  source = "RFC 3042",
  here = "It sends one new segment for each, although its congestion window is full. At the third "
    .. "it retransmits the segment that is missing. Any Linux version.",
  why = "tcp_add_reno_sack() counts a duplicate ACK as a segment that has left the network, so "
    .. "tcp_cwnd_test() has room for one more.",
  tags = { "peer", "retransmission" },

  run = function(lab)
    local server, conn = talk.accepted(lab, { options = { mss = 1000 } }, talk.long_rto(lab))
    server:type "fill 20000\n"
    talk.expect_segments(conn, 1, 10, 1000)
    conn:expect_nothing(0.1)
    conn:ack { ack = 1 }
    conn:expect { seq = 10001, length = 1000 }
    -- Within 1 ms of the last segment, Linux would wait for another ACK to send two at once.
    lab:wait(20 * lab.millisecond)
    conn:ack { ack = 1 }
    conn:expect { seq = 11001, length = 1000 }
    lab:wait(20 * lab.millisecond)
    conn:ack { ack = 1 }
    conn:expect { seq = 1, length = 1000 }
  end,
}
