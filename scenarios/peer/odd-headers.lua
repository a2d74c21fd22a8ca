-- Middleboxes and broken network cards make segments that no TCP would send. A receiver must not
-- deliver wrong data, and should not be confused by what it does not know.
local talk = include "talk.lib.lua"

return {
  title = "Segments with odd headers",
  asks = "Which odd segments does a receiver take?",
  source = "RFC 9293 sections 3.1 and 3.2, RFC 791 section 3.2, RFC 7112",
  here = "IP fragments, unknown options and options that are cut short are no obstacle. A segment "
    .. "with a wrong checksum, without ACK, or with SYN is not taken. Any Linux version.",
  why = "tcp_v4_rcv() drops a wrong checksum in silence. tcp_parse_options() skips what it does "
    .. "not know, and stops at a length that cannot be. tcp_rcv_established() wants ACK.",
  tags = { "peer", "segments" },
  cases = {
    { name = "checksum", segment = { flags = "PA", checksum = 0x1234 }, is_taken = false },
    { name = "fragments", segment = { flags = "PA", fragment_size = 64 }, is_taken = true },
    { name = "unknown-option", segment = { flags = "A", options = { raw = "\253\4xy" } },
      is_taken = true },
    { name = "short-option", segment = { flags = "A", options = { raw = "\253\0xy" } },
      is_taken = true },
    { name = "mss-later", segment = { flags = "A", options = { mss = 88 } }, is_taken = true },
    { name = "no-flags", segment = { flags = "" }, is_taken = false },
    { name = "all-flags", segment = { flags = "FSRPAUEW" }, is_taken = false, resets = true },
  },

  run = function(lab, case)
    local server, conn = talk.accepted(lab)
    case.segment.data = ("x"):rep(100)
    case.segment.seq = 1
    conn:segment(case.segment)
    if case.is_taken then
      conn:expect { flags = "A", ack = 101 }
      server:type "read 200\n"
      lab:expect(server):call("read"):returns(100)
    elseif case.resets then
      lab:expect(server):in_state "CLOSED"
    else
      conn:expect_nothing(0.2)
      conn:data("y", { seq = 1 })
      conn:expect { flags = "A", ack = 2 }
    end
  end,
}
