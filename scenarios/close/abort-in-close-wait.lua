-- The client has sent all its data, shut down its sending side, and waits for the answer. The
-- server aborts instead of answering. The direction that is still open ends with a reset.
return {
  title = "Abort in CLOSE_WAIT",
  asks = "What does a program that waits in FIN_WAIT2 see when the peer aborts?",
  source = "RFC 9293 sections 3.10.5 (ABORT, CLOSE-WAIT) and 3.10.7.4 (RST bit, FIN-WAIT-2)",
  here = "The peer sends a RST, and the program's read fails with ECONNRESET. Measured on Linux "
    .. "6.18.",
  why = "tcp_need_reset() includes CLOSE_WAIT, so close with SO_LINGER {1, 0} sends a RST. At the "
    .. "other end, tcp_reset() sets ECONNRESET: in FIN_WAIT2 the peer's stream has not ended yet.",
  tags = { "close", "reset", "half-close" },

  run = function(lab)
    local client, server = lab:connected {
      client = { "--repl" }, server = { "--repl", "--linger", 0 },
    }

    client:type "shutdown wr\nread\n"
    lab:expect(client):in_state "FIN_WAIT2"
    lab:expect(server):in_state "CLOSE_WAIT"
    server:type "close\n"
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(server):in_state "CLOSED"
    lab:expect(client):in_state "CLOSED"
    lab:expect(client):call("read"):fails "ECONNRESET"
  end,
}
