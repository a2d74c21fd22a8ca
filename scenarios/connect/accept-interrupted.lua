-- A signal ends a waiting accept, and takes nothing with it: the connection that comes a moment
-- later is there for the next one.
return {
  title = "Accept interrupted",
  asks = "What becomes of an accept that a signal interrupts, and of the client that comes then?",
  source = "accept(2), EINTR; signal(7), on SO_RCVTIMEO and SA_RESTART",
  here = "EINTR; the next accept returns the connection. Without SO_RCVTIMEO, and with SA_RESTART, "
    .. "accept goes on waiting. Any Linux.",
  why = "inet_csk_wait_for_connect() returns to the signal handler; the queue is the listener's, "
    .. "not the call's. A call with a time limit is not restarted (sock_intr_errno()).",
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
