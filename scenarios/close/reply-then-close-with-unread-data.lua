-- The server answered "too large", closed, and its client reports "connection reset" without the
-- answer: the request was not read to its end, so the close was a RST. On Linux the answer is
-- still there, for a program that reads before it looks at the error.
return {
  title = "Reply first, then close with unread data",
  asks = "Is a reply lost when the server closes without having read the whole request?",
  source = "RFC 2525 section 2.17; RFC 9112 section 9.6 (tear-down of HTTP connections)",
  here = "The reply is read first, then ECONNRESET once, then 0. A client that writes on before it "
    .. "reads gets ECONNRESET from write, but the reply still waits for its read. Linux, measured "
    .. "on 6.18.",
  why = "tcp_reset() takes what is to be sent (tcp_write_queue_purge()), not what has been "
    .. "received: tcp_recvmsg_locked() serves the receive queue before it looks at sk_err. Other "
    .. "systems throw received data away at a RST; RFC 9112 has servers therefore close in two "
    .. "steps: shutdown(SHUT_WR), read on, then close.",
  tags = { "close", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "write \"a request that is too large\"\n"
    lab:expect(client):call("write"):returns(27)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-push != 0")
    server:type "read 9\nwrite too-large\nclose\n"
    lab:expect(server):call("read"):returns(9)
    lab:expect(server):call("write"):returns(9)
    lab:expect(server):call("close"):returns(0)
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-push != 0")
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):in_state "CLOSED"

    client:type "poll in\nread\nread\nread\n"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):returns(9)
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect(client):call("read"):returns(0)
  end,
}
