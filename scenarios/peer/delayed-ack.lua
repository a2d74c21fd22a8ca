-- A receiver that waits a little can put its acknowledgment into a reply, or acknowledge two
-- segments at once. Together with Nagle's algorithm the wait has cost many programs 40 ms.
local talk = include "talk.lib.lua"

return {
  title = "The delayed ACK",
  asks = "When does a receiver acknowledge one segment, and when two?",
  source = "RFC 1122 section 4.2.3.2, RFC 5681 section 4.2; tcp(7), TCP_QUICKACK",
  here = "One segment after 40 ms, if its mode of quick ACKs is off; two full segments at once. "
    .. "Any Linux version.",
  why = "__tcp_ack_snd_check() in net/ipv4/tcp_input.c acknowledges at once if more than one full "
    .. "segment has come. tcp_send_delayed_ack() sets the timer, TCP_DELACK_MIN at least.",
  tags = { "peer", "delayed-ack" },

  run = function(lab)
    local server, conn, _, kodos = talk.accepted(lab, { options = { mss = 1000 } })
    server:type "setsockopt TCP_QUICKACK off\n"
    lab:expect(server):call("setsockopt"):returns(0)
    conn:data "hello"
    local sent = lab:expect_packet("kang > kodos", "data", { seq = 1 })
    local answer = conn:expect { flags = "A", ack = 6, length = 0 }
    lab:expect_time(answer.t - sent.t, lab:timer("delayed_ack", kodos), "the delayed ACK")

    server:type "setsockopt TCP_QUICKACK off\n"
    lab:expect(server):call("setsockopt"):returns(0)
    conn:data(("x"):rep(1000)):data(("x"):rep(1000))
    conn:expect { flags = "A", ack = 2006, length = 0 }
    conn:expect_nothing(0.1)
  end,
}
