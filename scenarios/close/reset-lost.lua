-- A RST is said once. It is not acknowledged and not repeated: where it is lost, the other end
-- keeps a connection to nobody, until it says something itself.
return {
  title = "The RST is lost",
  asks = "What if the RST that ends a connection does not arrive?",
  source = "RFC 9293 section 3.10.5 (ABORT) and section 3.5.2",
  here = "The peer stays ESTABLISHED; its next segment is answered with a RST of its own, and then "
    .. "it reads ECONNRESET. Linux, measured on 6.18.",
  why = "After ABORT there is no connection, and so nothing that could retransmit. A RST to the "
    .. "next segment comes from tcp_v4_send_reset(), which knows of no connection.",
  tags = { "close", "reset", "loss" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--linger", 0, "--on-stdin-eof", "close", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local reset = "tcp[tcpflags] & tcp-rst != 0"
    lab:lose("kang > kodos", reset, { count = 1 })
    client:close_stdin()
    lab:expect_packet("kang > kodos", reset, { fate = "lost" })
    lab:expect(client):in_state "CLOSED"
    lab:idle(20 * lab.minute)
    lab:expect(server):still_in_state "ESTABLISHED"

    server:type "kang?\n"
    lab:expect(server):call("write"):returns(6)
    lab:expect_packet("kang > kodos", reset, { fate = "delivered" })
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):in_state "CLOSED"
  end,
}
