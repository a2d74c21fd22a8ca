-- Parent and child share a connection, and the parent closes it. The FIN goes out only when the
-- child ends, even if the child never used the descriptor.
return {
  title = "The last holder of a connection dies",
  asks = "When does the kernel send the FIN if several processes share a connection?",
  source = "fork(2), close(2), shutdown(2)",
  here = "When the last of them closes its descriptor or ends: here when the child dies, not when "
    .. "the parent closes. Only then does the peer read 0. Measured on Linux 6.18.",
  why = "The kernel counts the references to the open file from all processes. It calls "
    .. "tcp_close() when the last reference is released. To end the stream at once, call "
    .. "shutdown(2), which acts on the connection itself.",
  tags = { "close", "descriptors" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, { client = { "--repl" } })

    client:type "fork\nclose\n"
    lab:expect(client):call("close"):returns(0)
    lab:never_packet(0.2 * lab.second, "kang > kodos", "tcp")
    client:type "kill\n"
    lab:expect(client):call("kill"):returns(0)
    lab:expect_packet("kang > kodos", "FIN")
    lab:expect(server):call("read"):returns(0)
    lab:expect(server):in_state "CLOSE_WAIT"
    lab:expect(kang):in_state "FIN_WAIT2"
  end,
}
