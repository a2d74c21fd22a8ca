-- Both streams are complete and only the last acknowledgment is missing. A program that aborts now
-- sends no RST: RFC 9293 does not ask for one in LAST-ACK.
return {
  title = "Abort in LAST_ACK",
  asks = "Does an abort in LAST_ACK send a RST?",
  source = "RFC 9293 section 3.10.5 (ABORT: CLOSING, LAST-ACK, TIME-WAIT); tcp_disconnect()",
  here = "No. close with SO_LINGER {1, 0} sends nothing and deletes the socket. The peer stays in "
    .. "TIME_WAIT and does not notice. Measured on Linux 6.18.",
  why = "tcp_need_reset() includes SYN_RECV, ESTABLISHED, FIN_WAIT1, FIN_WAIT2 and CLOSE_WAIT. In "
    .. "LAST_ACK, tcp_disconnect() sends a RST only if some data is still unsent.",
  tags = { "close", "reset" },

  run = function(lab)
    local client, server = lab:connected { client = { "--nc" }, server = { "--repl" } }

    client:stop()
    lab:expect(server):in_state "CLOSE_WAIT"
    lab:expect(client):in_state "FIN_WAIT2"
    lab:cut("kang > kodos")
    server:type "shutdown wr\n"
    lab:expect(server):in_state "LAST_ACK"
    lab:expect(client):in_state "TIME_WAIT"
    server:type "setsockopt SO_LINGER 0\nclose\n"
    lab:expect(server):call("close"):returns(0)
    lab:expect(server):in_state "CLOSED"
    lab:never_packet(0.5, "kodos > kang", "tcp")
    lab:expect(client):still_in_state "TIME_WAIT"
  end,
}
