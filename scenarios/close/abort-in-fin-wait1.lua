-- A program that shut its sending side down, and then does not want to wait until that has
-- arrived.
return {
  title = "Abort in FIN_WAIT1",
  asks = "What happens to a FIN that is not acknowledged yet when the program aborts?",
  source = "RFC 9293 section 3.10.5 (ABORT, FIN-WAIT-1); tcp_need_reset()",
  here = "RST; the FIN is not sent again. A peer that had the FIN is reset in CLOSE_WAIT: read 0, "
    .. "SO_ERROR EPIPE. Linux, measured on 6.18.",
  why = "tcp_disconnect() sends a RST in FIN_WAIT1 and purges what is to be retransmitted.",
  tags = { "close", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", "--linger", 0, kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    lab:cut("kodos > kang")
    client:type "shutdown wr\n"
    lab:expect(client):in_state "FIN_WAIT1"
    lab:expect(server):in_state "CLOSE_WAIT"
    client:type "close\n"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):in_state "CLOSED"
    server:type "read\ngetsockopt SO_ERROR\n"
    lab:expect(server):call("read"):returns(0)
    lab:expect(server):call("getsockopt"):gives "EPIPE"
  end,
}
