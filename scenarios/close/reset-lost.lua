-- A RST is sent once. It is neither acknowledged nor retransmitted. If it is lost, the peer keeps a
-- half-open connection until it sends something itself.
return {
  title = "The RST is lost",
  asks = "What happens if the RST that ends a connection does not arrive?",
  source = "RFC 9293 section 3.10.5 (ABORT) and section 3.5.2",
  here = "The peer stays ESTABLISHED. Its next segment is answered with a new RST, and its read "
    .. "fails with ECONNRESET. Measured on Linux 6.18.",
  why = "ABORT deletes the connection, so nothing can retransmit the RST. The peer's next segment "
    .. "finds no socket, and tcp_v4_send_reset() answers it with a RST.",
  tags = { "close", "reset", "loss" },

  run = function(lab)
    local client, server = lab:connected { client = { "--linger", 0, "--on-stdin-eof", "close" } }

    lab:lose("kang > kodos", "RST", { count = 1 })
    client:close_stdin()
    lab:expect_packet("kang > kodos", "RST", { fate = "lost" })
    lab:expect(client):in_state "CLOSED"
    lab:idle(20 * lab.minute)
    lab:expect(server):still_in_state "ESTABLISHED"

    server:type "kang?\n"
    lab:expect(server):call("write"):returns(6)
    lab:expect_packet("kang > kodos", "RST", { fate = "delivered" })
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):in_state "CLOSED"
  end,
}
