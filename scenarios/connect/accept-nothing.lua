-- An event loop asks a listener that has nothing to give: the queue is empty, or the client that
-- poll spoke of has been taken by another process meanwhile.
return {
  title = "Nothing to accept",
  asks = "What does accept return on a non-blocking listener with an empty queue?",
  source = "accept(2), EAGAIN; poll(2)",
  here = "EAGAIN; poll reports IN when a connection is ESTABLISHED, not before: a handshake that "
    .. "is under way does not count. A blocking listener with SO_RCVTIMEO: EAGAIN, too. Any Linux.",
  why = "inet_csk_accept() looks at the queue of finished connections only; half-open ones are "
    .. "elsewhere (the table of requests), unseen by accept and by poll.",
  tags = { "connect", "accept", "non-blocking", "poll" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--no-accept", "-l", 8080)
    server:type "nonblock on\naccept\n"
    lab:expect(server):call("accept"):fails "EAGAIN"

    local last_ack = lab:hold("kang > kodos", "tcp[tcpflags] == tcp-ack")
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "SYN_RECV"
    server:type "poll in 0s\naccept\n"
    lab:expect(server):call("poll"):returns(0)
    lab:expect(server):call("accept"):fails "EAGAIN"
    last_ack:lift()
    lab:expect(kodos):in_state "ESTABLISHED"
    server:type "poll in\naccept\n"
    lab:expect(server):call("poll"):returns(1, "IN")
    lab:expect(server):call("accept"):returns()

    local patience = 0.2 * lab.second
    server:type "use 4\nnonblock off\n"
    server:type("setsockopt SO_RCVTIMEO " .. patience .. "s\naccept\n")
    local waited = lab:expect(server):call("accept"):fails "EAGAIN"
    lab:expect_time(waited.t - waited.entered, patience, "accept")
  end,
}
