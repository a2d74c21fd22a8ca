-- A flood of SYNs from forged addresses fills the queue of half-open connections. Without SYN
-- cookies the kernel ignores the SYNs of legitimate clients as long as the flood lasts.
local flood = include "syn_flood.lib.lua"

return {
  title = "SYN flood, without cookies",
  asks = "What does a client see if the server's queue of half-open connections is full?",
  source = "RFC 4987 section 3; ip-sysctl, tcp_syncookies, tcp_max_syn_backlog; listen(2)",
  here = "The server ignores its SYNs, and connect fails with ETIMEDOUT. The kernel keeps at most "
    .. "backlog + 1 half-open connections. Any Linux version with tcp_syncookies = 0.",
  why = "tcp_conn_request() drops a SYN if inet_csk_reqsk_queue_is_full() and it may not send a "
    .. "cookie. Each half-open connection stays until its SYN/ACK retransmissions end "
    .. "(tcp_synack_retries), 63 s by default. A few SYNs per second are enough to keep clients "
    .. "out.",
  tags = { "connect", "flood", "backlog", "timeout" },

  run = function(lab)
    local kang, kodos = flood(lab, 0)

    local legitimate = kang:dnc(kodos, 8080)
    lab:expect(legitimate):in_state "SYN_SENT"
    local time_limit = lab:timer("syn_r2", kang) * 1.5 + 2 * lab.second
    lab:expect(legitimate):within(time_limit):call("connect"):fails "ETIMEDOUT"
    lab:expect(legitimate):exits(1)
  end,
}
