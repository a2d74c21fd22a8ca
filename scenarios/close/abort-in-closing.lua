-- Both FINs have crossed and one acknowledgment is missing. Then the program aborts. The abort
-- itself sends no RST. The peer gets one only when it retransmits its FIN.
return {
  title = "Abort in CLOSING",
  asks = "Does an abort in CLOSING reset the peer?",
  source = "RFC 9293 section 3.10.5 (ABORT: CLOSING, LAST-ACK, TIME-WAIT)",
  here = "No. The abort sends nothing and deletes the connection on this side. The peer "
    .. "retransmits its FIN and gets a RST. Measured on Linux 6.18.",
  why = "tcp_need_reset() lists the states in which an abort sends a RST, and CLOSING is not one "
    .. "of them. RFC 9293 section 3.10.5 agrees: respond with \"ok\" and delete the TCB. A later "
    .. "segment finds no connection and is answered with a RST.",
  tags = { "close", "reset" },

  run = function(lab)
    local client, server = lab:connected {
      client = { "--repl", "--linger", 0 }, server = { "--repl" },
    }

    local path = lab:cut("kang > kodos")
    client:type "shutdown wr\n"
    lab:expect(client):in_state "FIN_WAIT1"
    server:type "shutdown wr\n"
    lab:expect(client):in_state "CLOSING"
    client:type "close\n"
    lab:expect(client):call("close"):returns(0)
    lab:expect(client):in_state "CLOSED"
    path:remove()
    lab:expect_packet("kodos > kang", "FIN")
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(server):in_state "CLOSED"
  end,
}
