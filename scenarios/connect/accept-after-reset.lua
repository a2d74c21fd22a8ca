-- A client resets its connection before the server accepts it. Other systems remove such a
-- connection from the accept queue, or accept fails with ECONNABORTED. On Linux accept returns the
-- dead connection, and the first read reports the error.
return {
  title = "accept after the client's RST",
  asks = "What does accept return if the client has already reset the connection?",
  source = "accept(2), ECONNABORTED; RFC 9293 section 3.10.7.4; UNIX Network Programming, 5.11",
  here = "accept succeeds. poll reports IN|ERR|HUP (and OUT if requested). The first read fails "
    .. "with ECONNRESET, the next returns 0. Any Linux version.",
  why = "The RST ends the queued connection (tcp_reset()), but nothing removes it from the queue. "
    .. "inet_csk_accept() returns the first connection in the queue, in whatever state. The first "
    .. "read on the new descriptor reports the pending error.",
  tags = { "connect", "accept", "reset" },
  quiz = {
    asks = "A client connects and sends a RST before the server calls accept. What does accept "
      .. "return?",
    { "It succeeds; the first read fails with ECONNRESET", right = true },
    { "-1 ECONNABORTED",
      because = "POSIX defines this error, and the BSDs return it. On Linux accept returns the "
        .. "dead connection." },
    { "It waits: the kernel has removed the connection from the accept queue",
      because = "The kernel does not remove it: it stays in the queue with its error." },
    { "-1 ECONNRESET",
      because = "The error belongs to the queued connection. The first read on its descriptor "
        .. "reports it." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--no-accept", "-l", 8080)
    local client = kang:dnc("--linger", 0, kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"
    lab:expect(client):call("connect"):returns(0)
    client:stop "SIGINT"
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(kodos):in_state "CLOSED"

    server:type "accept\npoll in|out\nread\nread\n"
    lab:expect(server):call("accept"):returns()
    lab:expect(server):call("poll"):reports "IN|OUT|ERR|HUP"
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):call("read"):returns(0)
  end,
}
