-- Both ends of a connection use an option only if both SYNs had it. A middlebox that strips options
-- from one SYN turns them off for good.
local talk = include "talk.lib.lua"

return {
  title = "Options of a SYN-ACK",
  asks = "Which options does a server offer to a client that offers some of them?",
  source = "RFC 7323 sections 2.2 and 3.2, RFC 2018 section 2, RFC 9293 section 3.7.1",
  here = "Its MSS always, and each other option only if the SYN had it. Any Linux version.",
  why = "tcp_synack_options() in net/ipv4/tcp_output.c takes wscale, SACK permitted and "
    .. "timestamps from what tcp_parse_options() found in the SYN.",
  tags = { "peer", "handshake" },
  cases = {
    { name = "none", options = { raw = "\0\0\0\0" } },
    { name = "mss", options = { mss = 700 } },
    { name = "scale", options = { window_scale = 3 } },
    { name = "sack", options = { sack_permitted = true } },
    { name = "timestamps", options = { timestamps = true } },
    { name = "all", options = {
      mss = 700, window_scale = 3, sack_permitted = true, timestamps = true } },
  },

  run = function(lab, case)
    local peer, kodos = talk.hosts(lab, { ["net.ipv4.tcp_timestamps"] = 1 })
    talk.listening(lab, kodos, 8080)
    local conn = peer:open(kodos, { port = 8080 })
    conn:syn { options = case.options }
    local answer = conn:expect { flags = "SA", ack = 1, options = {
      mss = lab.family == 4 and 1460 or 1440,
      sack_permitted = case.options.sack_permitted or false,
      timestamps = case.options.timestamps or false,
    } }
    local has_scale = answer.window_scale ~= nil
    lab:check(has_scale == (case.options.window_scale ~= nil), "it scales if the SYN does",
      has_scale)
  end,
}
