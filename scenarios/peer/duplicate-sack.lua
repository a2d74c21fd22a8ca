-- A receiver that gets data twice can say so. The sender then knows that its retransmission was in
-- vain, and takes back the slower rate.
local talk = include "talk.lib.lua"

return {
  title = "A duplicate SACK",
  asks = "What does a receiver answer to data that it has already?",
  source = "RFC 2883",
  here = "An ACK whose first SACK block is the data that came twice, also below the "
    .. "acknowledgment. Any Linux version, unless tcp_dsack is 0.",
  why = "tcp_dsack_set() and tcp_dsack_extend() in net/ipv4/tcp_input.c.",
  tags = { "peer", "sack" },

  run = function(lab)
    local options = { mss = 1000, sack_permitted = true }
    local _, conn = talk.accepted(lab, { options = options })
    conn:data "hello"
    conn:expect { flags = "A", ack = 6, options = { sack = false } }
    conn:data("hello", { seq = 1 })
    conn:expect { flags = "A", ack = 6, options = { sack = { { 1, 6 } } } }
    conn:data("world", { seq = 11 })
    conn:expect { flags = "A", ack = 6, options = { sack = { { 11, 16 } } } }
    conn:data("world", { seq = 11 })
    conn:expect { flags = "A", ack = 6, options = { sack = { { 11, 16 }, { 11, 16 } } } }
  end,
}
