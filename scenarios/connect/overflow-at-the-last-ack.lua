-- The queue may fill up between a SYN and the end of its handshake. The last ACK then finds no
-- room and is ignored: the client is ESTABLISHED, the server is not. Nobody is told; the kernels
-- keep at it until there is room.
return {
  title = "The queue is full when the last ACK comes",
  asks = "What becomes of a connection whose handshake ends when the server's queue is full?",
  source = "listen(2); ip-sysctl, tcp_abort_on_overflow",
  here = "The client is ESTABLISHED and may write, the server stays in SYN_RECV. After an accept, "
    .. "the next segment of the client completes it, and nothing is lost. Any Linux.",
  why = "tcp_v4_syn_recv_sock() finds the queue full; tcp_check_req() notes that the ACK came and "
    .. "drops it, with all that follows. The client sends its data again, the server its SYN,ACK, "
    .. "and each carries what the handshake still needs.",
  tags = { "connect", "backlog", "half-open", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--backlog", 1, "--no-accept", "-l", 8080)
    local first = kang:dnc(kodos, 8080)
    lab:expect(first):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"

    local last_acks = lab:hold("kang > kodos", "tcp[tcpflags] == tcp-ack")
    local second = kang:dnc("-p", 1111, kodos, 8080)
    lab:expect(second):in_state "ESTABLISHED"
    local third = kang:dnc("-p", 2222, kodos, 8080)
    lab:expect(third):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "SYN_RECV"
    last_acks:lift()
    lab:expect(kodos):in_state "ESTABLISHED"

    third:type "hello\n"
    lab:expect(third):call("write"):returns(6)
    lab:expect_packet("kang > kodos", "tcp src port 2222 and tcp[tcpflags] & tcp-push != 0")
    lab:expect(kodos):still_in_state "SYN_RECV"
    server:type "accept\n"
    lab:expect(server):call("accept"):returns()
    lab:expect(kodos):in_state "ESTABLISHED"
    server:type "use 4\naccept\nuse 4\naccept\nread 10\n"
    lab:expect(server):call("accept"):returns()
    lab:expect(server):call("accept"):returns()
    lab:expect(server):call("read"):returns(6)
    lab:expect(third):still_in_state "ESTABLISHED"
  end,
}
