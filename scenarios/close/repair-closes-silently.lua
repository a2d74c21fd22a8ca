-- Checkpoint and restore (CRIU) takes a connection away from a kernel in order to give it to
-- another. If the second half fails, the peer has half a connection, and no machine has crashed.
return {
  title = "TCP_REPAIR, and close",
  asks = "How can close(2) end a connection without telling the peer?",
  source = "tcp(7); Linux commit ee9952831cfd (\"tcp: Initial repair mode\"); CRIU, TCP connection",
  here = "In repair mode neither FIN nor RST is sent: the connection is gone here, ESTABLISHED "
    .. "there, as after a power cycle. The peer's next data is answered with RST. It takes "
    .. "CAP_NET_ADMIN. Linux 3.5 or newer.",
  why = "__tcp_close() calls tcp_disconnect() for a socket in repair mode, and that only forgets: "
    .. "whoever saved the numbers will make the same connection elsewhere.",
  tags = { "close", "half-open", "reset", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "setsockopt TCP_REPAIR on\nclose\n"
    lab:expect(client):call("setsockopt"):returns(0)
    lab:expect(client):call("close"):returns(0)
    lab:expect(client):in_state "CLOSED"
    lab:never_packet(0.2, "kang > kodos", "tcp")
    lab:expect(kang):has_no_connection()
    lab:expect(server):still_in_state "ESTABLISHED"

    server:type "kang, are you there?\n"
    lab:expect(server):call("write"):returns(21)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):in_state "CLOSED"
  end,
}
