-- The same child, in the end: when the last holder is gone the FIN goes out, from a process that
-- may never have known what it held.
return {
  title = "The last holder of a connection dies",
  asks = "When is the FIN sent if several processes share a connection?",
  source = "fork(2), close(2), shutdown(2)",
  here = "Not at the parent's close, but at the child's death; the peer reads 0 then. Linux, "
    .. "measured on 6.18.",
  why = "The open file counts its descriptors, in all processes; tcp_close() comes with the last. "
    .. "A program that wants the end of stream now calls shutdown(2), which is about the "
    .. "connection.",
  tags = { "close", "descriptors" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "fork\nclose\n"
    lab:expect(client):call("close"):returns(0)
    lab:never_packet(0.2 * lab.second, "kang > kodos", "tcp")
    client:type "kill\n"
    lab:expect(client):call("kill"):returns(0)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-fin != 0")
    lab:expect(server):call("read"):returns(0)
    lab:expect(server):in_state "CLOSE_WAIT"
    lab:expect(kang):in_state "FIN_WAIT2"
  end,
}
