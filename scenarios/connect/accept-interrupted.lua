-- A signal interrupts a blocked accept. No connection is lost: a client that connects later waits
-- in the accept queue for the next accept.
return {
  title = "accept interrupted by a signal",
  asks = "If a signal interrupts accept, what happens to the call and to the next client?",
  source = "accept(2), EINTR; signal(7), on SO_RCVTIMEO and SA_RESTART",
  here = "With SO_RCVTIMEO, accept fails with EINTR; the next accept returns the new connection. "
    .. "Without SO_RCVTIMEO and with SA_RESTART, accept goes on waiting. Any Linux version.",
  why = "inet_csk_wait_for_connect() stops waiting so that the signal handler can run. The queue "
    .. "belongs to the listener, not to the call. A call with a time limit is not restarted: "
    .. "sock_intr_errno() returns EINTR.",
  tags = { "connect", "accept", "signals", "calls" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--no-accept", "-l", 8080)
    server:type "setsockopt SO_RCVTIMEO 60s\naccept\n"
    lab:expect(server):call("accept"):is_entered()
    lab:expect(server):sleeps()
    server:signal "SIGUSR1"
    lab:expect(server):call("accept"):fails "EINTR"
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    server:type "accept\nwrite welcome\n"
    lab:expect(server):call("accept"):returns()
    lab:expect(client):prints "welcome"
  end,
}
