-- A server that answers with SYN cookies has no connection until the handshake's last ACK comes.
-- Where that one is lost and the client closes, its FIN brings the cookie back.
return {
  title = "A FIN brings the SYN cookie back",
  asks = "No request is kept, the last ACK is lost and the client closes: is there a connection?",
  source = "RFC 4987 section 3.6; RFC 9293 section 3.10.7.4, eighth (the FIN bit)",
  here = "Yes: from CLOSED to CLOSE_WAIT by one frame, accept returns it, and read says 0. "
    .. "Measured on Linux 6.18.",
  why = "Every segment after the SYN has an ACK, and so the cookie: cookie_v4_check() makes the "
    .. "socket of it, and tcp_child_process() gives that socket the same segment, whose FIN it "
    .. "then sees.",
  tags = { "connect", "close", "accept", "syncookies" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_syncookies"] = 2 } }
    local server = kodos:dnc("--repl", "--no-accept", "-l", 8080)
    lab:lose("kang > kodos", "tcp[tcpflags] == tcp-ack", { count = 1 })
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] == tcp-ack", { fate = "lost" })
    lab:expect(kodos):has_no_connection()

    client:type "shutdown wr\n"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-fin != 0")
    lab:expect(kodos):in_state "CLOSE_WAIT"
    lab:expect(client):in_state "FIN_WAIT2"
    server:type "accept\nread\nclose\n"
    lab:expect(server):call("accept"):returns()
    lab:expect(server):call("read"):returns(0)
    lab:expect(client):in_state "TIME_WAIT"
  end,
}
