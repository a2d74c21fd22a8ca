-- SYN cookies keep a server reachable during a SYN flood. When the queue of half-open connections
-- is full, the kernel encodes the client's SYN in the sequence number of its SYN/ACK and stores
-- nothing. A client that returns this number in its ACK gets a connection.
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
    local kang, kodos, krusty = lab:hosts({ "kang", "kodos", "krusty" }, { sysctls = {
      ["net.ipv4.tcp_syncookies"] = 1,
      ["net.ipv4.tcp_synack_retries"] = 5,
    } })
    local backlog = 3
    local server = kodos:dnc("--backlog", backlog, "-l", 8080)
    lab:cut("kodos > krusty")
    local flood = krusty:dnc("--repl")
    for _ = 0, backlog do
      flood:type("socket nonblock\nconnect kodos 8080\n")
      lab:expect_packet("kodos > krusty", "SYN ACK", { fate = "lost" })
      lab:expect(kodos):in_state "SYN_RECV"
    end

    local legitimate = kang:dnc(kodos, 8080)
    lab:expect(legitimate):call("connect"):returns(0)
    lab:expect(legitimate):in_state "ESTABLISHED"
    local created = lab:expect(kodos):in_state "ESTABLISHED"
    lab:check(created.from ~= "SYN_RECV", "the connection was never in SYN_RECV")
    legitimate:type "hello\n"
    lab:expect(server):prints "hello"
  end,
}
