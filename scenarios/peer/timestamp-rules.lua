-- Timestamps tell new segments from old ones with the same numbers (PAWS). The rules matter where a
-- middlebox removes or rewrites them.
local talk = include "talk.lib.lua"

return {
  title = "Segments with a wrong timestamp, or none",
  asks = "Both ends use timestamps. Which segments does a receiver refuse?",
  source = "RFC 7323 sections 3.2 and 5.3",
  here = "One with an older timestamp: it answers with an ACK. One without a timestamp is taken, "
    .. "although the RFC wants it dropped. Any Linux version.",
  why = "tcp_disordered_ack_check() and tcp_paws_discard() in net/ipv4/tcp_input.c look only at "
    .. "segments that have the option (tcp_fast_parse_options()).",
  tags = { "peer", "timestamps" },
  cases = {
    { name = "new", options = {}, ack = 6 },
    { name = "old", options = { age = 10 }, ack = 1, title = "A segment with an old timestamp" },
    { name = "missing", options = { options = { timestamps = false } }, ack = 6,
      title = "A segment without a timestamp" },
  },

  run = function(lab, case)
    local server, conn = talk.accepted(lab, { options = { mss = 1000, timestamps = true } },
      { ["net.ipv4.tcp_timestamps"] = 1 })
    conn:data("hello", case.options)
    conn:expect { flags = "A", ack = case.ack, options = { timestamps = true } }
    server:type "nonblock on\nread 10\n"
    if case.ack == 6 then
      lab:expect(server):call("read"):returns(5)
    else
      lab:expect(server):call("read"):fails "EAGAIN"
    end
  end,
}
