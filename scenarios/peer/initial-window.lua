-- A new connection knows nothing about the network. How much it sends at first decides how many
-- round trips a small reply takes.
local talk = include "talk.lib.lua"

return {
  title = "The initial window",
  asks = "How many segments does a new connection send before the first ACK, and after it?",
  source = "RFC 6928, RFC 5681 section 3.1",
  here = "10, and after an ACK of all of them 20: slow start doubles the window in each round "
    .. "trip. Linux since 2.6.39.",
  why = "TCP_INIT_CWND in include/net/tcp.h is 10. tcp_slow_start() adds what was acknowledged.",
  tags = { "peer", "congestion" },

  run = function(lab)
    local server, conn = talk.accepted(lab, { options = { mss = 1000 } }, talk.long_rto(lab))
    server:type "fill 40000\n"
    talk.expect_segments(conn, 1, 10, 1000)
    conn:expect_nothing(0.1)
    conn:ack()
    talk.expect_segments(conn, 10001, 20, 1000)
    conn:expect_nothing(0.1)
  end,
}
