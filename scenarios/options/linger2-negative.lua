-- A socket that is closed in FIN_WAIT2 with a negative TCP_LINGER2 does not wait for the peer's
-- FIN: it resets.
return {
  title = "TCP_LINGER2 below zero",
  asks = "Can a program close in good order and still not leave FIN_WAIT2 behind?",
  source = "tcp(7), TCP_LINGER2; tcp_close()",
  here = "close in FIN_WAIT2 sends RST: nothing is left, and the peer, who had read a good end of "
    .. "stream, has EPIPE. Linux, measured on 6.18.",
  why = "tcp_close(): in FIN_WAIT2 with linger2 < 0 the state is CLOSED at once, "
    .. "tcp_send_active_reset() tells the peer, and TCPAbortOnLinger is counted.",
  tags = { "options", "close", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "setsockopt TCP_LINGER2 -1\nshutdown wr\n"
    lab:expect(client):in_state "FIN_WAIT2"
    server:type "read\n"
    lab:expect(server):call("read"):returns(0)
    client:type "close\n"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):in_state "CLOSED"
    server:type "getsockopt SO_ERROR\n"
    lab:expect(server):call("getsockopt"):gives "EPIPE"
  end,
}
