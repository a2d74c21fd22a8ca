-- connect(2) to AF_UNSPEC dissolves an association, says the manual, as if it were a thing of
-- datagrams. On a TCP socket it is ABORT: the peer is reset.
return {
  title = "connect to AF_UNSPEC",
  asks = "How can a program abort a connection without closing its socket?",
  source = "connect(2), AF_UNSPEC; RFC 9293 section 3.10.5 (ABORT)",
  here = "connect returns 0, RST goes out, the peer has ECONNRESET. So has the program itself: "
    .. "poll OUT|ERR|HUP, read ECONNRESET once, then ENOTCONN. The same socket can connect again. "
    .. "Linux, measured on 6.18.",
  why = "__inet_stream_connect() calls tcp_disconnect(): RST and sk_err ECONNRESET where "
    .. "tcp_need_reset() says so, both queues thrown away, state CLOSED.",
  tags = { "close", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-k", "-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "disconnect\npoll in|out\nread\nread\n"
    lab:expect(client):call("connect"):returns(0)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
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
