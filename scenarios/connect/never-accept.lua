-- A server that listens but never accepts looks alive: connections succeed and data is taken, for
-- the kernel does all that. What is missing is an answer.
return {
  title = "Never accepted",
  asks = "What does a client see of a server that listens but never calls accept?",
  source = "listen(2); RFC 9293 section 3.10.1",
  here = "connect and write succeed, the data is acknowledged, and nothing comes back. Any Linux.",
  why = "The handshake is the kernel's: the connection waits, ESTABLISHED, in the listener's "
    .. "queue, and its receive buffer fills there. accept only hands out a descriptor for it.",
  tags = { "connect", "backlog", "accept" },
  quiz = {
    asks = "A server listens and never calls accept. What do a client's connect and write say?",
    { "Both succeed", right = true },
    { "connect waits until accept is called",
      because = "The handshake is the kernel's. accept only hands out a descriptor for what "
        .. "is there." },
    { "connect fails with ECONNREFUSED", because = "That is for a port on which nobody listens." },
    { "connect succeeds; write fails, since nobody has the socket",
      because = "The kernel has it: the data waits in the buffer of a connection that nobody "
        .. "has accepted." },
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
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-push != 0")
    lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-ack")
    lab:never(client, 0.3 * lab.second):call("read"):returns()
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
