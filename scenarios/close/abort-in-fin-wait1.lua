-- A program shuts down its sending side, then aborts before the FIN is acknowledged. The peer has
-- already received the FIN, so its read returns 0 in spite of the reset.
return {
  title = "Abort in FIN_WAIT1",
  asks = "What happens to an unacknowledged FIN when the program aborts?",
  source = "RFC 9293 section 3.10.5 (ABORT, FIN-WAIT-1); tcp_need_reset()",
  here = "The kernel sends a RST and stops retransmitting the FIN. A peer that already has the "
    .. "FIN is in CLOSE_WAIT when the RST arrives. Its read returns 0, and SO_ERROR is EPIPE. "
    .. "Measured on Linux 6.18.",
  why = "In FIN_WAIT1, tcp_disconnect() sends a RST and purges the retransmission queue.",
  tags = { "close", "reset" },

  run = function(lab)
    local client, server = lab:connected {
      client = { "--repl", "--linger", 0 }, server = { "--repl" },
    }

    lab:cut("kodos > kang")
    client:type "shutdown wr\n"
    lab:expect(client):in_state "FIN_WAIT1"
    lab:expect(server):in_state "CLOSE_WAIT"
    client:type "close\n"
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):in_state "CLOSED"
    server:type "read\ngetsockopt SO_ERROR\n"
    lab:expect(server):call("read"):returns(0)
    lab:expect(server):call("getsockopt"):gives "EPIPE"
  end,
}
