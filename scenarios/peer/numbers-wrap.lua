-- Sequence numbers have 32 bits and begin anywhere. Every long transfer passes from the highest
-- number to 0, and filters that compare numbers as integers break there.
local talk = include "talk.lib.lua"

return {
  title = "Sequence numbers that wrap around",
  asks = "Does anything change where the sequence number passes 2^32?",
  source = "RFC 9293 section 3.4",
  here = "No: data, holes and the FIN across the end of the number space are like others. Any "
    .. "Linux version.",
  why = "before() and after() in include/net/tcp.h compare the difference as a signed number.",
  tags = { "peer", "segments" },

  run = function(lab)
    local options = { mss = 1000, sack_permitted = true }
    local server, conn = talk.accepted(lab, { iss = 2 ^ 32 - 4, options = options })
    conn:data("lo wo", { seq = 4 })
    conn:expect { flags = "A", ack = 1, options = { sack = { { 4, 9 } } } }
    conn:data("hel", { seq = 1 })
    local acked = conn:expect { flags = "A", ack = 9 }
    lab:check(acked.ack == 5, "the number in the header has wrapped", acked.ack)
    conn:segment { flags = "A", absolute = true, seq = 5, ack = conn.irs + 1, data = "rld" }
    conn:expect { flags = "A", absolute = true, ack = 8 }
    conn:fin { seq = 12 }
    conn:expect { flags = "A", ack = 13 }
    server:type "read 100\nread 100\n"
    lab:expect(server):call("read"):returns(11)
    lab:expect(server):call("read"):returns(0)
  end,
}
