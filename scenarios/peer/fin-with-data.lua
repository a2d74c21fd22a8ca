-- The last data and the FIN may share a segment. A capture filter for small segments, or a program
-- that looks at flags one by one, misses one of the two.
local talk = include "talk.lib.lua"

return {
  title = "Data and FIN in one segment",
  asks = "When do the last data and the FIN share a segment, and what does a program read?",
  source = "RFC 9293 section 3.10.4 and 3.10.7.4",
  here = "If the data still waits when the program shuts down, for example for Nagle's algorithm. "
    .. "Then they do not wait any longer. The reader gets the data, and then the end. Any Linux "
    .. "version.",
  why = "tcp_send_fin() in net/ipv4/tcp_output.c sets FIN in the last segment of the write queue, "
    .. "if that has not been sent. tcp_nagle_test() lets every FIN go.",
  tags = { "peer", "close" },

  run = function(lab)
    local server, conn, _, kodos = talk.accepted(lab, nil, talk.long_rto(lab))
    server:type "write one\nwrite two\nshutdown wr\n"
    conn:expect { data = "one" }
    conn:expect { flags = "FPA", seq = 4, data = "two" }
    conn:ack()
    conn:segment { flags = "FPA", data = "bye" }
    conn:expect { flags = "A", ack = 5 }
    lab:expect(kodos):in_state "TIME_WAIT"
    server:type "read 10\nread 10\n"
    lab:expect(server):call("read"):returns(3)
    lab:expect(server):call("read"):returns(0)
  end,
}
