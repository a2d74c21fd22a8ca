-- A server closes its listener while connections wait in the accept queue. The kernel resets them,
-- although connect has returned 0 and the kernel has acknowledged their data.
return {
  title = "Listener closed with queued connections",
  asks = "What happens to queued connections when the listener is closed?",
  source = "RFC 9293 section 3.10.4; close(2)",
  here = "The kernel resets each of them: the client's read fails with ECONNRESET. Accepted "
    .. "connections are not affected. Any Linux version.",
  why = "inet_csk_listen_stop() ends every queued connection with tcp_disconnect(), which sends a "
    .. "RST. tcp_migrate_req would move them to another listener of the same SO_REUSEPORT group, "
    .. "if there is one.",
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
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(waiting):call("poll"):reports "IN|ERR|HUP"
    lab:expect(waiting):call("read"):fails "ECONNRESET"
    lab:expect(waiting):in_state "CLOSED"
    lab:expect(accepted):in_state "ESTABLISHED"
    server:type "write \"still here\"\n"
    lab:expect(accepted):prints "still here"
  end,
}
