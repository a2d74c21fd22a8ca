-- With TCP_DEFER_ACCEPT the kernel wakes a server only when the client's first data arrives. Until
-- then the client is ESTABLISHED, but the server's side stays in SYN_RECV.
return {
  title = "TCP_DEFER_ACCEPT waits for data",
  asks = "When does accept return on a listener with TCP_DEFER_ACCEPT?",
  source = "tcp(7), TCP_DEFER_ACCEPT",
  here = "When the client's first data arrives. Until then the client is ESTABLISHED and the "
    .. "server in SYN_RECV. If the client stays silent, accept returns after the number of seconds "
    .. "that the option sets. Linux 2.6.32 or newer.",
  why = "tcp_check_req() drops a bare ACK until the option's time has passed. The kernel counts "
    .. "that time in SYN/ACK retransmissions (rskq_defer_accept). Then the kernel retransmits one "
    .. "SYN/ACK, and the ACK that answers it completes the handshake.",
  tags = { "connect", "accept", "socket-options", "half-open" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--no-accept", "-l", 8080)
    server:type "setsockopt TCP_DEFER_ACCEPT 1\naccept\n"
    lab:expect(server):call("accept"):is_entered()
    local talker = kang:dnc("-p", 1111, kodos, 8080)
    lab:expect_packet("kang > kodos", "ACK only")
    lab:expect(talker):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "SYN_RECV"
    lab:never(server, 0.1 * lab.second):call("accept"):returns()
    talker:type "hello\n"
    lab:expect(server):call("accept"):returns()
    lab:expect(kodos):in_state "ESTABLISHED"

    server:type "use 4\naccept\n"
    lab:expect(server):call("accept"):is_entered()
    local silent = kang:dnc("-p", 2222, kodos, 8080)
    local handshake = lab:expect_packet("kang > kodos", "SYN")
    lab:expect(silent):in_state "ESTABLISHED"
    local accepted = lab:expect(server):call("accept"):returns()
    lab:expect_time(accepted.t - handshake.t, lab:timer("initial_rto", kodos), "the deferral")
    lab:expect(silent):still_in_state "ESTABLISHED"
  end,
}
