-- The accept queue fills between a SYN and the end of its handshake. The kernel drops the last ACK:
-- the client is ESTABLISHED, the server is not. Both sides retransmit until the queue has room.
return {
  title = "Accept queue full at the last ACK",
  asks = "What happens if the accept queue is full when a handshake ends?",
  source = "listen(2); ip-sysctl, tcp_abort_on_overflow",
  here = "The client is ESTABLISHED and can write; the server stays in SYN_RECV. After an accept, "
    .. "the client's next segment completes the handshake, and no data is lost. Any Linux version.",
  why = "tcp_v4_syn_recv_sock() finds the queue full. tcp_check_req() notes that the ACK came, and "
    .. "drops it and the segments that follow. The client retransmits its data, and the server "
    .. "retransmits its SYN/ACK, which the client answers. Either way another ACK arrives and "
    .. "completes the handshake.",
  tags = { "connect", "backlog", "half-open", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--backlog", 1, "--no-accept", "-l", 8080)
    local first = kang:dnc(kodos, 8080)
    lab:expect(first):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"

    local last_acks = lab:hold("kang > kodos", "ACK only")
    local second = kang:dnc("-p", 1111, kodos, 8080)
    lab:expect(second):in_state "ESTABLISHED"
    local third = kang:dnc("-p", 2222, kodos, 8080)
    lab:expect(third):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "SYN_RECV"
    last_acks:remove()
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
