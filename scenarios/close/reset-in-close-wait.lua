-- The peer sent its last data, then FIN, then RST. Once a FIN has come the stream has an end, and
-- read(2) reports that end rather than the reset: only SO_ERROR, or a write, tells.
return {
  title = "RST in CLOSE_WAIT, with data queued",
  asks = "Can a program tell an end of stream from a reset that came after it?",
  source = "RFC 9293 section 3.10.7.4 (RST bit, CLOSE-WAIT); tcp(7)",
  here = "read: the data, then 0, and 0 again. poll IN|ERR|HUP, and SO_ERROR is EPIPE, once. "
    .. "Linux, measured on 6.18.",
  why = "tcp_reset() sets EPIPE where it finds the socket in CLOSE_WAIT. tcp_recvmsg_locked() "
    .. "looks at SOCK_DONE, set by the FIN, before sk_err: read says 0 and leaves the error to "
    .. "whoever asks for it.",
  tags = { "close", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", "--ignore-sigpipe", kodos, 8080)
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:type "write \"the last words\"\nshutdown wr\n"
    lab:expect(server):in_state "FIN_WAIT2"
    lab:expect(client):in_state "CLOSE_WAIT"
    server:type "setsockopt SO_LINGER 0\nclose\n"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(server):in_state "CLOSED"
    lab:expect(client):in_state "CLOSED"

    client:type "poll in\nread\nread\ngetsockopt SO_ERROR\nread\nwrite more\n"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):returns(14)
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "EPIPE"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("write"):fails "EPIPE"
  end,
}
