-- A SYN may carry data. Without TCP Fast Open a server cannot tell an old SYN from a new one, so it
-- must not give its data to a program yet.
local talk = include "talk.lib.lua"

return {
  title = "Data on a SYN",
  asks = "What does a server without Fast Open do with the data of a SYN?",
  source = "RFC 9293 section 3.4, RFC 7413 section 1",
  here = "It ignores the data and acknowledges only the SYN, so the client sends the data again. "
    .. "Any Linux version.",
  why = "tcp_conn_request() in net/ipv4/tcp_input.c takes data only with Fast Open "
    .. "(tcp_try_fastopen()); tcp_make_synack() acknowledges the initial number and the SYN.",
  tags = { "peer", "handshake" },

  run = function(lab)
    local peer, kodos = talk.hosts(lab)
    local server = talk.listening(lab, kodos, 8080)
    local conn = peer:open(kodos, { port = 8080 })
    conn:segment { flags = "S", data = "hello" }
    conn:expect { flags = "SA", ack = 1 }
    conn:ack { seq = 1 }
    lab:expect(server):call("accept"):returns()
    conn:data("hello", { seq = 1 })
    conn:expect { flags = "A", ack = 6 }
    server:type "read 10\n"
    lab:expect(server):call("read"):returns(5)
  end,
}
