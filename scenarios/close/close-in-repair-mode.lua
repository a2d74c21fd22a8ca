-- Checkpoint and restore (CRIU) moves a connection from one kernel to another. close(2) in repair
-- mode sends nothing. If the restore fails, the peer is left with a half-open connection.
return {
  title = "Close in TCP_REPAIR mode",
  asks = "How can close(2) end a connection without informing the peer?",
  source = "tcp(7); Linux commit ee9952831cfd (\"tcp: Initial repair mode\"); CRIU, TCP connection",
  here = "In TCP_REPAIR mode. close then sends neither FIN nor RST. This end forgets the "
    .. "connection, and the peer stays ESTABLISHED, as after a power cycle. The peer's next data "
    .. "is answered with a RST. Needs CAP_NET_ADMIN. Linux 3.5 or newer.",
  why = "For a socket in repair mode, __tcp_close() calls tcp_disconnect(), which only deletes "
    .. "the connection. The program that saved its sequence numbers can restore it elsewhere.",
  tags = { "close", "half-open", "reset", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client, server = lab:connect(kang, kodos, { client = { "--repl" } })

    client:type "setsockopt TCP_REPAIR on\nclose\n"
    lab:expect(client):call("setsockopt", "TCP_REPAIR"):returns(0)
    lab:expect(client):call("close"):returns(0)
    lab:expect(client):in_state "CLOSED"
    lab:never_packet(0.2, "kang > kodos", "tcp")
    lab:expect(kang):has_no_connection()
    lab:expect(server):still_in_state "ESTABLISHED"

    server:type "kang, are you there?\n"
    lab:expect(server):call("write"):returns(21)
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):in_state "CLOSED"
  end,
}
