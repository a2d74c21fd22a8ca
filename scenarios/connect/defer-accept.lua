-- A server that is only interested in clients that say something may leave the waiting to its
-- kernel. The client is ESTABLISHED; the server's side is not, until data comes.
return {
  title = "TCP_DEFER_ACCEPT",
  asks = "When does accept return on a listener with TCP_DEFER_ACCEPT?",
  source = "tcp(7), TCP_DEFER_ACCEPT",
  here = "When the client's first data is there. Meanwhile the client is ESTABLISHED and the "
    .. "server in SYN_RECV. A client that stays silent is accepted, too, after the time that the "
    .. "option said. Linux 2.6.32 and newer.",
  why = "tcp_check_req() drops a bare ACK for as long as the option says, counted in SYN,ACKs that "
    .. "would have been sent again. After that one SYN,ACK is sent, and its ACK counts.",
  tags = { "connect", "accept", "socket-options", "half-open" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--no-accept", "-l", 8080)
    server:type "setsockopt TCP_DEFER_ACCEPT 1\naccept\n"
    lab:expect(server):call("accept"):is_entered()
    local talker = kang:dnc("-p", 1111, kodos, 8080)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] == tcp-ack")
    lab:expect(talker):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "SYN_RECV"
    lab:never(server, 0.1 * lab.second):call("accept"):returns()
    talker:type "hello\n"
    lab:expect(server):call("accept"):returns()
    lab:expect(kodos):in_state "ESTABLISHED"

    server:type "use 4\naccept\n"
    lab:expect(server):call("accept"):is_entered()
    local silent = kang:dnc("-p", 2222, kodos, 8080)
    local handshake = lab:expect_packet("kang > kodos", "tcp[tcpflags] == tcp-syn")
    lab:expect(silent):in_state "ESTABLISHED"
    local accepted = lab:expect(server):call("accept"):returns()
    lab:expect_time(accepted.t - handshake.t, lab:timer("initial_timeout", kodos), "the deferral")
    lab:expect(silent):still_in_state "ESTABLISHED"
  end,
}
