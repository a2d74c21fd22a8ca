-- If both ends connect to each other at the same time, with each other's ports, there is neither a
-- client nor a server. Programs that punch holes into NATs rely on it.
local talk = include "talk.lib.lua"

return {
  title = "SYN and SYN",
  asks = "A client gets a SYN in place of a SYN-ACK. Does it connect?",
  source = "RFC 9293 section 3.5, Figure 7",
  here = "Yes. It answers with a SYN-ACK whose SYN has the number of the first one, and is "
    .. "connected when that is acknowledged. Any Linux version.",
  why = "tcp_rcv_synsent_state_process() in net/ipv4/tcp_input.c moves to TCP_SYN_RECV and calls "
    .. "tcp_send_synack().",
  tags = { "peer", "handshake", "simultaneous" },

  run = function(lab)
    local peer, kodos = talk.hosts(lab)
    local client = kodos:dnc("--repl", "kang", 80)
    local conn = peer:expect_syn { port = 80 }
    conn:syn()
    conn:expect { flags = "SA", seq = 0, ack = 1 }
    lab:expect(kodos):in_state "SYN_RECV"
    conn:segment { flags = "SA", seq = 0 }
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):in_state "ESTABLISHED"
    conn:expect { flags = "A", ack = 1, skip = true }
    client:type "write hello\n"
    conn:expect { data = "hello", seq = 1 }
  end,
}
