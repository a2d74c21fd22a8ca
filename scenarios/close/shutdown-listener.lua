-- shutdown(SHUT_RD) on a listening socket wakes a thread that sleeps in accept. It also resets the
-- connections that wait to be accepted.
return {
  title = "shutdown of a listening socket",
  asks = "What happens to waiting connections when a server calls shutdown(2) on its listener?",
  source = "shutdown(2); RFC 9293 section 3.10.4 (CLOSE, LISTEN); inet_shutdown()",
  here = "With SHUT_RD, the kernel resets them, and the clients' read fails with ECONNRESET. The "
    .. "listener is closed, and accept then fails with EINVAL. SHUT_WR returns 0 and does nothing. "
    .. "Measured on Linux 6.18.",
  why = "For SHUT_RD in LISTEN, inet_shutdown() calls tcp_disconnect(). inet_csk_listen_stop() "
    .. "then resets the connections that were established but not accepted. SEND_SHUTDOWN has no "
    .. "meaning for a listener.",
  tags = { "close", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--no-accept", "-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(client):call("connect"):returns(0)
    lab:expect(kodos):in_state "ESTABLISHED"

    server:type "shutdown wr\n"
    lab:expect(server):call("shutdown"):returns(0)
    lab:never(client, 0.2):in_state "CLOSED"
    lab:expect(kodos):listens(8080)

    server:type "shutdown rd\nnonblock on\naccept\n"
    lab:expect(server):call("shutdown"):returns(0)
    lab:expect(server):call("accept"):fails "EINVAL"
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect(client):in_state "CLOSED"
  end,
}
