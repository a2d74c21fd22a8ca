-- A server passes an accepted connection to a worker (SCM_RIGHTS) and closes its own descriptor.
-- Until the worker receives the message, no process has the connection and no /proc/*/fd shows it,
-- but it stays open.
return {
  title = "A passed descriptor that nobody received",
  asks = "What can keep a connection open although no process has a descriptor for it?",
  source = "unix(7), SCM_RIGHTS; close(2)",
  here = "A message that carries the descriptor and that no process has received yet. close "
    .. "returns 0 and sends nothing, and the kernel acknowledges the peer's data. After recvmsg, "
    .. "the new descriptor reads the data that arrived meanwhile. Measured on Linux 6.18.",
  why = "The message in the Unix socket's queue holds a reference to the open file (scm_fp_list). "
    .. "If nobody receives it, the kernel sends the FIN when that socket is destroyed, or when "
    .. "the garbage collector in net/unix/garbage.c finds it.",
  tags = { "close", "descriptors" },

  run = function(lab)
    local client, server = lab:connected { server = { "--repl" } }

    server:type "pass\nclose\n"
    lab:expect(server):call("sendmsg"):returns(1)
    lab:expect(server):call("close"):returns(0)
    client:type "who serves me?\n"
    lab:expect(client):call("write"):returns(15)
    lab:expect_packet("kodos > kang", "ACK only")
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
