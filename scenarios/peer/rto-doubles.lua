-- A sender that hears nothing waits twice as long before each retransmission. The series decides
-- how soon a connection goes on after a break in the network.
local talk = include "talk.lib.lua"

return {
  title = "The retransmission timeout doubles",
  asks = "When does a sender retransmit to a peer that never answers?",
  source = "RFC 6298 section 5; RFC 9293 section 3.8.1",
  here = "After 200 ms, the minimum RTO on a fast network, and then each time after twice the last "
    .. "wait. Each retransmission is the first unacknowledged segment. Any Linux version.",
  why = "tcp_retransmit_timer() in net/ipv4/tcp_timer.c doubles icsk_rto, up to 120 s.",
  tags = { "peer", "retransmission" },

  run = function(lab)
    local server, conn, _, kodos = talk.accepted(lab, nil, { ["net.ipv4.tcp_retries2"] = 8 })
    server:type "write hello\n"
    local sent = conn:expect { data = "hello", seq = 1 }
    local wait = lab:timer("rto_min", kodos)
    for number = 1, 4 do
      local again = conn:expect { data = "hello", seq = 1, within = 2 * wait + 1 }
      lab:expect_time(again.t - sent.t, wait, "retransmission " .. number)
      sent, wait = again, 2 * wait
    end
    conn:ack()
    conn:expect_nothing(1)
  end,
}
