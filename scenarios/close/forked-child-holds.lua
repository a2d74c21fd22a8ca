-- The program has closed its socket, and has even been killed, but the peer still waits. A forked
-- child has inherited the descriptor without knowing it. Every descriptor without O_CLOEXEC that is
-- open across fork and exec can cause this.
return {
  title = "A forked child holds the connection",
  asks = "How can a connection stay open after its program was killed?",
  source = "fork(2), close(2), fcntl(2) FD_CLOEXEC",
  here = "A forked child still has the descriptor. The parent's close returns 0 and sends nothing, "
    .. "and SIGKILL to the parent sends nothing. Both sides stay ESTABLISHED until the child ends "
    .. "or a process calls shutdown(2). Measured on Linux 6.18.",
  why = "fork(2) copies the descriptor table. Both tables refer to the same open files. The "
    .. "kernel releases the socket at the last close by any process (fput(), sock_close()). Every "
    .. "earlier close or exit only decreases the count.",
  tags = { "close", "descriptors", "crash" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" } }

    client:type "fork\nclose\n"
    lab:expect(client):call("fork"):returns()
    lab:expect(client):call("close"):returns(0)
    lab:never_packet(0.2 * lab.second, "kang > kodos", "tcp")
    client:kill { only = "main" }
    lab:expect(client):killed_by "SIGKILL"
    lab:never_packet(0.2 * lab.second, "kang > kodos", "tcp")
    lab:expect(client):still_in_state "ESTABLISHED"

    server:type "is anybody there?\n"
    lab:expect(server):call("write"):returns(18)
    lab:expect_packet("kang > kodos", "ACK only")
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
