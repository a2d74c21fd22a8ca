-- A receiver without room announces a window of zero, and later a larger one. That announcement may
-- be lost, so the sender asks.
local talk = include "talk.lib.lua"

return {
  title = "Window probes",
  asks = "What does a sender send into a window of zero, and how often?",
  source = "RFC 9293 section 3.8.6.1, RFC 1122 section 4.2.2.17",
  here = "A segment without data, whose number is that of the octet before the next one: a "
    .. "receiver must answer it. The wait doubles after each. As soon as the window opens, data "
    .. "follows. Any Linux version.",
  why = "tcp_send_probe0() calls tcp_xmit_probe_skb() with SND.UNA-1. tcp_probe0_when() doubles "
    .. "the wait.",
  tags = { "peer", "window" },

  run = function(lab)
    local server, conn, _, kodos = talk.accepted(lab, nil, { ["net.ipv4.tcp_retries2"] = 8 })
    conn:data "go"
    conn:expect { flags = "A", ack = 3 }
    conn:ack { window = 0 }
    server:type "write hello\n"
    local began = lab:expect(server):call("write"):is_entered().t
    local wait = lab:timer("rto_min", kodos)
    local probe = conn:expect { flags = "A", seq = 0, length = 0 }
    lab:check(probe.t > began + 0.1, "it waits for an RTO first", probe.t - began)
    for _ = 1, 3 do
      wait = 2 * wait
      local next = conn:expect { flags = "A", seq = 0, length = 0, within = wait + 1 }
      lab:expect_time(next.t - probe.t, wait, "the wait has doubled")
      probe = next
    end
    conn:ack { window = 1000 }
    conn:expect { data = "hello", seq = 1 }
  end,
}
