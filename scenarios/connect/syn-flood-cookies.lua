-- The cure: when there is no place to remember a SYN, the kernel writes what it must know into the
-- sequence number of its answer, and forgets it. Who returns the cookie gets a connection.
return {
  title = "SYN flood, with cookies",
  asks = "Does an honest client get through to a server under a SYN flood when it sends cookies?",
  source = "RFC 4987 section 3.6; ip-sysctl, tcp_syncookies",
  here = "Yes, at once: connect returns 0. On the server's side the connection has no SYN_RECV; it "
    .. "comes into being with the last ACK. Any Linux (tcp_syncookies = 1 is the default).",
  why = "With the queue full, tcp_conn_request() asks cookie_init_sequence() for a sequence number "
    .. "that is a keyed hash of the addresses, the time and the client's MSS; cookie_v4_check() "
    .. "finds it again in the ACK. Other options hide in the timestamp.",
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
      flood:type("socket " .. lab.family .. " nonblock\nconnect kodos 8080\n")
      lab:expect_packet("kodos > krusty", "tcp[tcpflags] == tcp-syn|tcp-ack", { fate = "lost" })
      lab:expect(kodos):in_state "SYN_RECV"
    end

    local honest = kang:dnc(kodos, 8080)
    lab:expect(honest):call("connect"):returns(0)
    lab:expect(honest):in_state "ESTABLISHED"
    local made = lab:expect(kodos):in_state "ESTABLISHED"
    if made.from == "SYN_RECV" then error "the SYN was remembered" end
    honest:type "hello\n"
    lab:expect(server):prints "hello"
  end,
}
