-- If the last segments of a window are lost, no duplicate ACK ever comes. Without a probe the
-- sender would wait for a whole RTO.
local talk = include "talk.lib.lua"

return {
  title = "A tail loss probe",
  asks = "The last segments of a reply are lost. What repairs them?",
  source = "RFC 8985 section 7",
  here = "After two round trips the sender repeats the last segment, not the first. Its SACK "
    .. "block shows the hole, and each ACK lets the sender repair one segment of it. Any Linux "
    .. "version.",
  why = "tcp_schedule_loss_probe() sets the timer, and tcp_send_loss_probe() repeats the last "
    .. "segment. It needs SACK, and tcp_early_retrans above 2.",
  tags = { "peer", "retransmission" },

  run = function(lab)
    local sysctls = talk.long_rto(lab)
    sysctls["net.ipv4.tcp_early_retrans"] = 3
    local options = { mss = 1000, sack_permitted = true }
    local server, conn = talk.accepted(lab, { options = options }, sysctls)
    server:type "fill 3000\n"
    talk.expect_segments(conn, 1, 3, 1000)
    conn:expect { seq = 2001, length = 1000 }
    lab:wait(20 * lab.millisecond) -- a round trip
    conn:ack { ack = 1, options = { sack = { { 2001, 3001 } } } }
    conn:expect { seq = 1, length = 1000 }
    conn:ack { ack = 1001, options = { sack = { { 2001, 3001 } } } }
    conn:expect { seq = 1001, length = 1000 }
    conn:ack { ack = 3001 }
  end,
}
