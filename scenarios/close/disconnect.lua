-- The man page says that connect(2) to AF_UNSPEC dissolves an association, as if it were only for
-- datagram sockets. On a TCP socket it aborts the connection: the peer gets a RST.
return {
  title = "connect to AF_UNSPEC",
  asks = "How can a program abort a connection without closing its socket?",
  source = "connect(2), AF_UNSPEC; RFC 9293 section 3.10.5 (ABORT)",
  here = "With connect to AF_UNSPEC, which returns 0 and sends a RST. The peer's read fails with "
    .. "ECONNRESET. The program itself gets the error, too: poll reports OUT|ERR|HUP, and read "
    .. "fails with ECONNRESET once, then with ENOTCONN. The same socket can connect again. "
    .. "Measured on Linux 6.18.",
  why = "__inet_stream_connect() calls tcp_disconnect(). If tcp_need_reset() includes the state, "
    .. "that sends a RST and sets sk_err to ECONNRESET. It also purges both queues and sets the "
    .. "state to CLOSED.",
  tags = { "close", "reset" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" }, server = { "-k" } }

    client:type "disconnect\npoll in|out\nread\nread\n"
    lab:expect(client):call("connect"):returns(0)
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(client):in_state "CLOSED"
    lab:expect(client):call("poll"):reports "OUT|ERR|HUP"
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect(client):call("read"):fails "ENOTCONN"
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):in_state "CLOSED"

    client:type "connect\n"
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):in_state "ESTABLISHED"
  end,
}
