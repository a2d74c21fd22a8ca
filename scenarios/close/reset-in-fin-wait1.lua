-- The client's FIN and the server's RST cross on the wire. The client gets ECONNRESET, and its FIN
-- arrives at a host that has no such connection.
return {
  title = "RST in FIN_WAIT1",
  asks = "What does a program see if it shuts down its sending side just before a RST arrives?",
  source = "RFC 9293 section 3.10.7.4 (RST bit, FIN-WAIT-1)",
  here = "read fails with ECONNRESET. When the FIN arrives, the peer answers it with another RST. "
    .. "Measured on Linux 6.18.",
  why = "tcp_reset() sets ECONNRESET in FIN_WAIT1. The peer's kernel has already deleted the "
    .. "connection when the FIN arrives (RFC 9293 section 3.5.2, group 1).",
  tags = { "close", "reset" },

  run = function(lab)
    local client, server = lab:connected {
      client = { "--repl" }, server = { "--repl", "--linger", 0 },
    }

    local fin = lab:hold("kang > kodos", "FIN")
    client:type "shutdown wr\nread\n"
    lab:expect(client):in_state "FIN_WAIT1"
    server:type "close\n"
    lab:expect(server):in_state "CLOSED"
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):in_state "CLOSED"
    lab:expect(client):call("read"):fails "ECONNRESET"
    fin:remove()
    lab:expect_packet("kodos > kang", "RST")
  end,
}
