-- The handshake's last ACK is lost and the client has nothing to say: it closes. Its FIN carries
-- the ACK that the server waits for, so the server is never seen in ESTABLISHED.
return {
  title = "A FIN completes the handshake",
  asks = "The last ACK is lost and the client closes at once: what does the server's accept get?",
  source = "RFC 9293 section 3.10.7.4, fifth (SYN-RECEIVED) and eighth (the FIN bit)",
  here = "A connection at its end of stream: one frame takes the server from SYN_RECV to "
    .. "CLOSE_WAIT, accept returns it, and read says 0. Measured on Linux 6.18.",
  why = "Every segment after the SYN has an ACK. tcp_check_req() makes the socket of it, and "
    .. "tcp_child_process() gives that socket the same segment, whose FIN it then sees.",
  tags = { "connect", "close", "accept", "half-open" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--no-accept", "-l", 8080)
    lab:lose("kang > kodos", "tcp[tcpflags] == tcp-ack", { count = 1 })
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] == tcp-ack", { fate = "lost" })
    lab:expect(kodos):in_state "SYN_RECV"

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
