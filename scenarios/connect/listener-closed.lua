-- A server that ends with connections in its queue takes them down with it. The clients believed
-- in them: connect had returned 0, and data had been acknowledged.
return {
  title = "The listener is closed",
  asks = "What becomes of connections that wait to be accepted when the listener is closed?",
  source = "RFC 9293 section 3.10.4; close(2)",
  here = "Each is reset: the client's read fails with ECONNRESET. An accepted connection lives on. "
    .. "Any Linux.",
  why = "inet_csk_listen_stop() ends every connection in the queue as if its program had died with "
    .. "data unread: tcp_disconnect() sends a RST. tcp_migrate_req, and another listener of the "
    .. "same SO_REUSEPORT group, would save them.",
  tags = { "connect", "accept", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local accepted = kang:dnc(kodos, 8080)
    lab:expect(server):call("accept"):returns()
    local waiting = kang:dnc(kodos, 8080)
    lab:expect(waiting):in_state "ESTABLISHED"
    waiting:type "hello\n"
    lab:expect(waiting):call("write"):returns(6)

    server:type "close 4\n"
    lab:expect(server):call("close"):returns(0)
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(waiting):call("poll"):reports "IN|ERR|HUP"
    lab:expect(waiting):call("read"):fails "ECONNRESET"
    lab:expect(waiting):in_state "CLOSED"
    lab:expect(accepted):in_state "ESTABLISHED"
    server:type "write \"still here\"\n"
    lab:expect(accepted):prints "still here"
  end,
}
