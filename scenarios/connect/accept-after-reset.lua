-- A client may be gone before the server accepts it. Other systems take such a connection out of
-- the queue, or let accept fail with ECONNABORTED; Linux hands it out, dead.
return {
  title = "Accept after the client's reset",
  asks = "What does accept return when the client has reset the connection already?",
  source = "accept(2), ECONNABORTED; RFC 9293 section 3.10.7.4; UNIX Network Programming, 5.11",
  here = "accept succeeds; poll reports IN|ERR|HUP (and OUT, if asked), read fails with ECONNRESET "
    .. "once, and then returns 0. Any Linux.",
  why = "The RST ends the connection in the queue (tcp_reset()), but nothing takes it out: "
    .. "inet_csk_accept() hands out whatever is there, with the error that waits to be told.",
  tags = { "connect", "accept", "reset" },
  quiz = {
    asks = "A client connects and resets before the server has called accept. What does "
      .. "accept say?",
    { "It succeeds; the first read fails with ECONNRESET", right = true },
    { "-1 ECONNABORTED",
      because = "POSIX has that, and the BSDs do it. Linux hands out the dead connection." },
    { "It waits: the connection has been taken out of the queue",
      because = "Nothing takes it out; it waits there with its error." },
    { "-1 ECONNRESET", because = "The error is the connection's, and its first call is told." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--no-accept", "-l", 8080)
    local client = kang:dnc("--linger", 0, kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"
    client:stop "SIGINT"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(kodos):in_state "CLOSED"

    server:type "accept\npoll in|out\nread\nread\n"
    lab:expect(server):call("accept"):returns()
    lab:expect(server):call("poll"):reports "IN|OUT|ERR|HUP"
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):call("read"):returns(0)
  end,
}
