-- Both FINs have crossed, one acknowledgment is missing, and the program aborts: nothing is left
-- that a RST could take back.
return {
  title = "Abort in CLOSING",
  asks = "Is the peer reset by an abort in CLOSING?",
  source = "RFC 9293 section 3.10.5 (ABORT: CLOSING, LAST-ACK, TIME-WAIT)",
  here = "No: nothing is sent, the connection is gone on this side, and the peer's own FIN, sent "
    .. "again, is answered with RST. Linux, measured on 6.18.",
  why = "tcp_need_reset() does not name CLOSING, as RFC 9293 says: \"respond ok and delete the "
    .. "TCB\". What comes later meets no connection.",
  tags = { "close", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", "--linger", 0, kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local path = lab:cut("kang > kodos")
    client:type "shutdown wr\n"
    lab:expect(client):in_state "FIN_WAIT1"
    server:type "shutdown wr\n"
    lab:expect(client):in_state "CLOSING"
    client:type "close\n"
    lab:expect(client):call("close"):returns(0)
    lab:expect(client):in_state "CLOSED"
    path:lift()
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-fin != 0")
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(server):in_state "CLOSED"
  end,
}
