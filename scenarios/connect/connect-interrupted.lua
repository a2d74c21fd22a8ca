-- A signal ends the call, not the connecting: the SYN is out, and the answer will come. A program
-- that simply calls connect again is told that it is under way, or that it is done.
return {
  title = "Connect interrupted",
  asks = "What becomes of a connect that a signal interrupts?",
  source = "connect(2), EINTR; signal(7), on SO_SNDTIMEO and SA_RESTART; POSIX connect()",
  here = "EINTR; the socket stays in SYN_SENT and becomes ESTABLISHED by itself. connect again "
    .. "says 0 then. Without SO_SNDTIMEO, and with SA_RESTART, connect goes on as if nothing had "
    .. "been. Any Linux.",
  why = "inet_wait_for_connect() returns to the signal handler, while TCP's handshake is the "
    .. "kernel's own business. A call with a time limit is not restarted: sock_intr_errno() makes "
    .. "EINTR of it, since the time that is left would be forgotten.",
  tags = { "connect", "signals", "calls" },
  quiz = {
    asks = "A connect with a time limit (SO_SNDTIMEO) is interrupted by a signal: EINTR. What "
      .. "of the connection?",
    { "It goes on by itself, and becomes ESTABLISHED", right = true },
    { "It is ended: connect has to be called again from the beginning",
      because = "The handshake is the kernel's business; the program only waited for it." },
    { "The kernel resets it, since nobody waits for it any more",
      because = "The socket is still there, and so is its SYN." },
    { "It is undefined: the socket can only be closed",
      because = "POSIX says: the request is not aborted, and goes on asynchronously." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local syn_ack = lab:hold("kodos > kang", "tcp")
    local client = kang:dnc("--repl")
    client:type("socket " .. lab.family .. "\n")
    client:type "setsockopt SO_SNDTIMEO 60s\nconnect kodos 8080\n"
    lab:expect(client):call("connect"):is_entered()
    lab:expect(client):in_state "SYN_SENT"
    client:signal "SIGUSR1"
    lab:expect(client):call("connect"):fails "EINTR"
    lab:expect(client):still_in_state "SYN_SENT"

    syn_ack:lift()
    lab:expect(client):in_state "ESTABLISHED"
    client:type "connect\nconnect\n"
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):call("connect"):fails "EISCONN"
  end,
}
