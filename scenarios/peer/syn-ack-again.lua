-- A server whose SYN-ACK is not acknowledged repeats it. So does one that gets the same SYN again,
-- because its SYN-ACK was lost.
local talk = include "talk.lib.lua"

return {
  title = "The SYN-ACK again",
  asks = "When does a server send its SYN-ACK again?",
  source = "RFC 9293 section 3.8.1; ip-sysctl, tcp_synack_retries",
  here = "After 1 s and then after 2 s, and at once for each SYN that comes again. All have the "
    .. "same number. Any Linux version.",
  why = "reqsk_timer_handler() in net/ipv4/inet_connection_sock.c doubles the timeout. "
    .. "tcp_check_req() answers the same SYN with tcp_rtx_synack().",
  tags = { "peer", "handshake", "retransmission" },

  run = function(lab)
    local peer, kodos = talk.hosts(lab, { ["net.ipv4.tcp_synack_retries"] = 3 })
    local server = talk.listening(lab, kodos, 8080)
    local conn = peer:open(kodos, { port = 8080 })
    conn:syn()
    local sent = conn:expect { flags = "SA", seq = 0, ack = 1 }
    local wait = lab:timer("initial_rto", kodos)
    for number = 1, 2 do
      local again = conn:expect { flags = "SA", seq = 0, ack = 1, within = 2 * wait + 1 }
      lab:expect_time(again.t - sent.t, wait, "SYN-ACK " .. number)
      sent, wait = again, 2 * wait
    end
    conn:syn { seq = 0 }
    conn:expect { flags = "SA", seq = 0, ack = 1, within = 1 }
    conn:ack()
    lab:expect(server):call("accept"):returns()
  end,
}
