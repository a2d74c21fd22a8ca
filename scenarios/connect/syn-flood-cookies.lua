-- SYN cookies keep a server reachable during a SYN flood. When the queue of half-open connections
-- is full, the kernel encodes the client's SYN in the sequence number of its SYN/ACK and stores
-- nothing. A client that returns this number in its ACK gets a connection.
local flood = include "syn_flood.lib.lua"

return {
  title = "SYN flood, with cookies",
  asks = "Does a legitimate client connect to a server with SYN cookies during a SYN flood?",
  source = "RFC 4987 section 3.6; ip-sysctl, tcp_syncookies",
  here = "Yes, at once: connect returns 0. The server's side has no SYN_RECV; the last ACK creates "
    .. "the connection. Any Linux version (tcp_syncookies = 1 is the default).",
  why = "When the queue is full, tcp_conn_request() gets the sequence number from "
    .. "cookie_init_sequence(): a keyed hash of the addresses, the time and the client's MSS. "
    .. "cookie_v4_check() verifies it in the ACK. Other options are encoded in the timestamp.",
  tags = { "connect", "flood", "backlog" },

  run = function(lab)
    local kang, kodos, server = flood(lab, 1)

    local legitimate = kang:dnc(kodos, 8080)
    lab:expect(legitimate):call("connect"):returns(0)
    lab:expect(legitimate):in_state "ESTABLISHED"
    local created = lab:expect(kodos):in_state "ESTABLISHED"
    lab:check(created.from ~= "SYN_RECV", "the connection was never in SYN_RECV")
    legitimate:type "hello\n"
    lab:expect(server):prints "hello"
  end,
}
