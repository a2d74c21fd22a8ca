-- "TCP: time wait bucket table overflow". Beyond tcp_max_tw_buckets the kernel does not wait: what
-- TIME_WAIT is for, a FIN that comes again above all, then meets nobody.
return {
  title = "Too many in TIME_WAIT",
  asks = "What is lost when tcp_max_tw_buckets is reached?",
  source = "ip-sysctl, tcp_max_tw_buckets; RFC 1337; RFC 9293 section 3.6.1",
  here = "The side that closed first goes from FIN_WAIT2 to CLOSED at the peer's FIN. Its last ACK "
    .. "was lost here, and so the peer's FIN, sent again, is answered with RST. Linux, measured on "
    .. "6.18.",
  why = "inet_twsk_alloc() gives nothing beyond the limit; tcp_time_wait() counts "
    .. "TCPTimeWaitOverflow and tcp_done() is all that is left. An administrator's note: \"do not "
    .. "lower the limit artificially\".",
  tags = { "close", "time-wait", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kang:sysctl("net.ipv4.tcp_max_tw_buckets", 0)
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "shutdown wr\n"
    lab:expect(server):in_state "CLOSE_WAIT"
    lab:expect(client):in_state "FIN_WAIT2"
    local last_ack = lab:lose("kang > kodos", "tcp[tcpflags] = tcp-ack", { count = 1 })
    server:type "close\n"
    lab:expect(server):in_state "LAST_ACK"
    lab:expect(client):in_state "CLOSED"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack", { fate = "lost" })
    last_ack:lift()
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-fin != 0")
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(server):in_state "CLOSED"
  end,
}
