-- A server listens but never calls accept. To its clients it looks alive: the kernel completes the
-- handshake and acknowledges data. Only the answer never comes.
return {
  title = "Server never calls accept",
  asks = "What does a client see if the server listens but never calls accept?",
  source = "listen(2); RFC 9293 section 3.10.1",
  here = "connect and write succeed, the server's kernel acknowledges the data, and no answer "
    .. "comes. Any Linux version.",
  why = "The kernel does the handshake. The connection waits in the accept queue, already "
    .. "ESTABLISHED, and its receive buffer fills. accept only returns a descriptor for it.",
  tags = { "connect", "backlog", "accept" },
  quiz = {
    asks = "A server listens and never calls accept. What do a client's connect and write return?",
    { "Both succeed", right = true },
    { "connect waits until the server calls accept",
      because = "The kernel does the handshake. accept only returns a descriptor for the "
        .. "connection." },
    { "connect fails with ECONNREFUSED", because = "That is for a port without a listener." },
    { "connect succeeds; write fails, because no program has the socket",
      because = "The kernel has it: the data waits in the receive buffer of the queued "
        .. "connection." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("--no-accept", "-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"
    client:type "is anybody there?\n"
    lab:expect(client):call("write"):returns(18)
    lab:expect_packet("kang > kodos", "data")
    lab:expect_packet("kodos > kang", "ACK only")
    lab:never(client, 0.3 * lab.second):call("read"):returns()
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
