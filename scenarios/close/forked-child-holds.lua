-- The program closed its socket, and was even killed, and still the peer waits: a child that was
-- forked in between has inherited the descriptor and does not know it. Every descriptor without
-- O_CLOEXEC that is open across a fork and exec is a candidate.
return {
  title = "A forked child holds the connection",
  asks = "How can a connection stay open although the program that had it was killed?",
  source = "fork(2), close(2), fcntl(2) FD_CLOEXEC",
  here = "close says 0 and sends nothing; SIGKILL to the parent sends nothing. ESTABLISHED on both "
    .. "sides until the child ends, or somebody calls shutdown(2). Linux, measured on 6.18.",
  why = "fork(2) duplicates the table of descriptors, not the open files: the socket is released "
    .. "by the last close of any process (fput(), sock_close()). close and exit of one of them "
    .. "only count down.",
  tags = { "close", "descriptors", "crash" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "fork\nclose\n"
    lab:expect(client):call("fork"):returns()
    lab:expect(client):call("close"):returns(0)
    lab:never_packet(0.2 * lab.second, "kang > kodos", "tcp")
    client:kill()
    lab:expect(client):killed_by "SIGKILL"
    lab:never_packet(0.2 * lab.second, "kang > kodos", "tcp")
    lab:expect(client):still_in_state "ESTABLISHED"

    server:type "is anybody there?\n"
    lab:expect(server):call("write"):returns(18)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
