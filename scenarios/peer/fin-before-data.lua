-- Segments of a stream may overtake each other, the FIN, too. A stream ends only where its FIN is.
local talk = include "talk.lib.lua"

return {
  title = "A FIN that overtakes data",
  asks = "The FIN comes before the data in front of it. What does the program read?",
  source = "RFC 9293 section 3.10.7.4",
  here = "First the data, then the end. Until the hole is filled, the connection stays in "
    .. "ESTABLISHED, and its ACKs ask for the data. Any Linux version.",
  why = "tcp_data_queue_ofo() in net/ipv4/tcp_input.c keeps the segment with its FIN. "
    .. "tcp_ofo_queue() calls tcp_fin() when its turn comes.",
  tags = { "peer", "close", "reordering" },

  run = function(lab)
    local server, conn, _, kodos = talk.accepted(lab)
    conn:fin { seq = 6 }
    conn:expect { flags = "A", ack = 1 }
    local state = lab:connection(kodos).state
    lab:check(state == "ESTABLISHED", "the stream has not ended yet", state)
    conn:data("hello", { seq = 1 })
    conn:expect { flags = "A", ack = 7 }
    lab:expect(kodos):in_state "CLOSE_WAIT"
    server:type "read 10\nread 10\n"
    lab:expect(server):call("read"):returns(5)
    lab:expect(server):call("read"):returns(0)
  end,
}
