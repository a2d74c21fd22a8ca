-- With ECN a router marks packets in place of dropping them. Both ends must agree in the handshake.
local talk = include "talk.lib.lua"

return {
  title = "ECN on request",
  asks = "Does a server use ECN, and what does it do when the peer reports a mark?",
  source = "RFC 3168 section 6.1; ip-sysctl, tcp_ecn",
  here = "Yes, if the SYN asks for it (ECE and CWR). It then answers an ECE with a smaller window, "
    .. "and sets CWR in its next new data. Without the request it ignores ECE. Any Linux version.",
  why = "tcp_ecn_create_request() in net/ipv4/tcp_input.c accepts with tcp_ecn = 2, the default. "
    .. "tcp_fastretrans_alert() enters CWR, and tcp_ecn_send() sets the flag.",
  tags = { "peer", "congestion" },
  cases = {
    { name = "asked", syn = "SEW", answer = "SAE", next = "AW" },
    { name = "not-asked", syn = "S", answer = "SA", next = "A",
      title = "ECE without an agreement" },
  },

  run = function(lab, case)
    local sysctls = { ["net.ipv4.tcp_ecn"] = 2 }
    local peer, kodos = talk.hosts(lab, sysctls)
    local server = talk.listening(lab, kodos, 8080)
    local conn = peer:open(kodos, { port = 8080 })
    conn:segment { flags = case.syn, options = { mss = 1000 } }
    conn:expect { flags = case.answer }
    conn:ack()
    lab:expect(server):call("accept"):returns()
    server:type "fill 1000\n"
    conn:expect { flags = "A", seq = 1, length = 1000 }
    conn:segment { flags = "EA" }
    server:type "fill 1000\n"
    conn:expect { flags = case.next, seq = 1001, length = 1000 }
  end,
}
