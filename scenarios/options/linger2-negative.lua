-- A program closes a socket in FIN_WAIT2 with a negative TCP_LINGER2. The socket does not wait for
-- the peer's FIN but resets the connection.
return {
  title = "TCP_LINGER2 below zero",
  asks = "Can a program close a connection without leaving an orphan in FIN_WAIT2?",
  source = "tcp(7), TCP_LINGER2; tcp_close()",
  here = "Yes. close in FIN_WAIT2 sends a RST and leaves nothing behind. But the peer, which had "
    .. "read a clean end of stream, gets EPIPE. Measured on Linux 6.18.",
  why = "In FIN_WAIT2 with linger2 < 0, tcp_close() goes to CLOSED at once, "
    .. "tcp_send_active_reset() sends the RST, and TCPAbortOnLinger counts it.",
  tags = { "options", "close", "reset" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" }, server = { "--repl" } }

    client:type "setsockopt TCP_LINGER2 -1\nshutdown wr\n"
    lab:expect(client):in_state "FIN_WAIT2"
    server:type "read\n"
    lab:expect(server):call("read"):returns(0)
    client:type "close\n"
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):in_state "CLOSED"
    server:type "getsockopt SO_ERROR\n"
    lab:expect(server):call("getsockopt"):gives "EPIPE"
  end,
}
