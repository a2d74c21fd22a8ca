-- A server hands accepted connections over to workers (SCM_RIGHTS) and closes its own copy. While
-- the message waits to be received, no process has the connection, and it lives all the same:
-- nothing in /proc/*/fd shows it.
return {
  title = "A descriptor that was passed and not received",
  asks = "Who holds a connection that no process has?",
  source = "unix(7), SCM_RIGHTS; close(2)",
  here = "close says 0, nothing is sent, the peer's data is acknowledged. Received at the other "
    .. "end, the descriptor reads what came meanwhile. Linux, measured on 6.18.",
  why = "The descriptor in flight is a reference to the open file, held by the message in the Unix "
    .. "socket's queue (scm_fp_list). If nobody receives it, the FIN is sent when that socket is "
    .. "destroyed, or by the garbage collector of net/unix/garbage.c.",
  tags = { "close", "descriptors" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:type "pass\nclose\n"
    lab:expect(server):call("sendmsg"):returns(1)
    lab:expect(server):call("close"):returns(0)
    client:type "who serves me?\n"
    lab:expect(client):call("write"):returns(15)
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
    lab:never_packet(0.2 * lab.second, "kodos > kang", "tcp")
    lab:expect(client):still_in_state "ESTABLISHED"

    server:type "take\nread\nclose\n"
    lab:expect(server):call("recvmsg"):returns(1)
    lab:expect(server):call("read"):returns(15)
    lab:expect(server):call("close"):returns(0)
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):in_state "CLOSE_WAIT"
  end,
}
