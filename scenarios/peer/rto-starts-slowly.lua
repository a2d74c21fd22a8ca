-- A timeout says that nothing gets through. The sender then begins as carefully as on a new
-- connection, or more so.
local talk = include "talk.lib.lua"

return {
  title = "Slow start after a timeout",
  asks = "Five segments are lost. What does the sender retransmit after its timeout?",
  source = "RFC 5681 section 3.1, RFC 6298 section 5",
  here = "Only the first. Its ACK lets two more go, and theirs the rest: the window has begun "
    .. "again with one segment. Any Linux version.",
  why = "tcp_enter_loss() in net/ipv4/tcp_input.c sets the congestion window to what is in flight, "
    .. "and one. tcp_slow_start() opens it.",
  tags = { "peer", "retransmission", "congestion" },

  run = function(lab)
    -- Neither a tail loss probe nor F-RTO, which first looks whether the timeout was in vain.
    local sysctls = { ["net.ipv4.tcp_early_retrans"] = 0, ["net.ipv4.tcp_frto"] = 0 }
    local server, conn = talk.accepted(lab, { options = { mss = 1000 } }, sysctls)
    server:type "fill 5000\n"
    talk.expect_segments(conn, 1, 5, 1000)
    conn:expect { seq = 1, length = 1000, within = 2 }
    conn:ack { ack = 1001 }
    talk.expect_segments(conn, 1001, 2, 1000)
    conn:ack { ack = 3001 }
    talk.expect_segments(conn, 3001, 2, 1000)
    conn:ack { ack = 5001 }
    conn:expect_nothing(0.5)
  end,
}
