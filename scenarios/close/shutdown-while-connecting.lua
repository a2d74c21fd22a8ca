-- A program calls shutdown(2) while its connection is still being opened. shutdown does not wait
-- for the handshake: it aborts the attempt.
return {
  title = "shutdown in SYN_SENT",
  asks = "What does shutdown(2) do to a connection attempt?",
  source = "shutdown(2); RFC 9293 section 3.10.4 (CLOSE, SYN-SENT); inet_shutdown()",
  here = "It returns 0 and ends the attempt without a FIN: poll reports OUT|ERR|HUP, and SO_ERROR "
    .. "is ECONNRESET. Before connect, and after the connection has ended, shutdown fails with "
    .. "ENOTCONN. Measured on Linux 6.18.",
  why = "In SYN_SENT, inet_shutdown() calls tcp_disconnect(), which sets ECONNRESET in that "
    .. "state. In CLOSED it returns ENOTCONN. In LISTEN, SHUT_RD closes the listener.",
  tags = { "close", "connect" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:cut("kang > kodos", "tcp")
    local client = kang:dnc("--repl")
    client:type("socket nonblock\nshutdown wr\nconnect " .. kodos:name() .. " 8080\n")
    lab:expect(client):call("shutdown"):fails "ENOTCONN"
    lab:expect(client):call("connect"):fails "EINPROGRESS"
    lab:expect(client):in_state "SYN_SENT"

    client:type "shutdown wr\npoll in|out\ngetsockopt SO_ERROR\nshutdown wr\n"
    lab:expect(client):call("shutdown"):returns(0)
    lab:expect(client):in_state "CLOSED"
    lab:expect(client):call("poll"):reports "OUT|ERR|HUP"
    lab:expect(client):call("getsockopt"):gives "ECONNRESET"
    lab:expect(client):call("shutdown"):fails "ENOTCONN"
  end,
}
