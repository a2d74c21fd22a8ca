-- The window in a header has 16 bits. Its meaning depends on an option in the SYN, which a capture
-- that begins later does not have.
local talk = include "talk.lib.lua"

return {
  title = "A scaled window",
  asks = "How much does a sender send into a window of 100 with a scale of 3?",
  source = "RFC 7323 section 2",
  here = "800 bytes, and not one more before the window moves. In the SYN itself the window is not "
    .. "scaled. Any Linux version.",
  why = "tcp_ack_update_window() in net/ipv4/tcp_input.c shifts the window of each segment "
    .. "without SYN by the peer's rx_opt.snd_wscale.",
  tags = { "peer", "window" },

  run = function(lab)
    local options = { mss = 200, window_scale = 3 }
    local server, conn = talk.accepted(lab, { options = options, window = 100 }, talk.long_rto(lab))
    server:type "fill 2000\n"
    talk.expect_segments(conn, 1, 4, 200)
    conn:expect_nothing(0.1)
    conn:ack { ack = 401 }
    talk.expect_segments(conn, 801, 2, 200)
    conn:ack { ack = 401, window = 150 }
    talk.expect_segments(conn, 1201, 2, 200)
    conn:expect_nothing(0.1)
  end,
}
