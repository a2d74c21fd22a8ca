-- An event loop calls accept although the accept queue is empty, for example because another
-- process has already accepted the connection that poll reported. A non-blocking listener must not
-- wait then.
return {
  title = "accept on an empty queue",
  asks = "What does accept return on a non-blocking listener with an empty queue?",
  source = "accept(2), EAGAIN; poll(2)",
  here = "EAGAIN. poll reports IN as soon as a connection is ESTABLISHED; a handshake in progress "
    .. "does not count. On a blocking listener with SO_RCVTIMEO, accept fails with EAGAIN after "
    .. "that time. Any Linux version.",
  why = "inet_csk_accept() looks only at the queue of established connections. Half-open "
    .. "connections are request_socks outside that queue; neither accept nor poll looks at them.",
  tags = { "connect", "accept", "non-blocking", "poll" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--no-accept", "-l", 8080)
    server:type "nonblock on\naccept\n"
    lab:expect(server):call("accept"):fails "EAGAIN"

    local last_ack = lab:hold("kang > kodos", "ACK only")
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "SYN_RECV"
    server:type "poll in 0s\naccept\n"
    lab:expect(server):call("poll"):returns(0)
    lab:expect(server):call("accept"):fails "EAGAIN"
    last_ack:remove()
    lab:expect(kodos):in_state "ESTABLISHED"
    server:type "poll in\naccept\n"
    lab:expect(server):call("poll"):returns(1, "IN")
    lab:expect(server):call("accept"):returns()

    local receive_timeout = 0.2 * lab.second
    server:type "use 4\nnonblock off\n"
    server:type("setsockopt SO_RCVTIMEO " .. receive_timeout .. "s\naccept\n")
    local waited = lab:expect(server):call("accept"):fails "EAGAIN"
    lab:expect_time(waited.t - waited.entered, receive_timeout, "accept")
  end,
}
