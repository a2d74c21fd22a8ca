-- The MSS option says what the other end may send at once. A middlebox may lower it, or remove it.
local talk = include "talk.lib.lua"

return {
  title = "Segments as large as the peer's MSS",
  asks = "How large are the segments to a peer with a small MSS, or with none?",
  source = "RFC 9293 section 3.7.1, RFC 6691",
  here = "As large as the MSS; without the option 536 bytes on IPv4, and 1220 on IPv6. With "
    .. "timestamps 12 bytes less. Any Linux version.",
  why = "tcp_conn_request() in net/ipv4/tcp_input.c begins with the mss_clamp of the IP version, "
    .. "and tcp_parse_options() replaces it. tcp_current_mss() takes off what the options of each "
    .. "segment need.",
  tags = { "peer", "handshake" },
  cases = {
    { name = "small", options = { mss = 700 }, size = 700 },
    { name = "missing", options = { sack_permitted = true } },
    { name = "timestamps", options = { mss = 700, timestamps = true }, size = 688 },
  },

  run = function(lab, case)
    local sysctls = { ["net.ipv4.tcp_timestamps"] = 1, ["net.ipv4.tcp_early_retrans"] = 0 }
    local server, conn = talk.accepted(lab, { options = case.options }, sysctls)
    local size = case.size or lab.family == 4 and 536 or 1220
    server:type("fill " .. 3 * size + 10 .. "\n")
    talk.expect_segments(conn, 1, 3, size)
    conn:ack()
    conn:expect { seq = 1 + 3 * size, length = 10 }
  end,
}
