-- A signal interrupts the connect call, but not the handshake: the SYN is sent, and the kernel
-- handles the answer. A program that treats EINTR as a failed connect is wrong.
return {
  title = "connect interrupted by a signal",
  asks = "What happens to a connect that a signal interrupts?",
  source = "connect(2), EINTR; signal(7), on SO_SNDTIMEO and SA_RESTART; POSIX, connect()",
  here = "With SO_SNDTIMEO, connect fails with EINTR. The socket stays in SYN_SENT and becomes "
    .. "ESTABLISHED by itself; then another connect returns 0. Without SO_SNDTIMEO and with "
    .. "SA_RESTART, connect goes on as if nothing had happened. Any Linux version.",
  why = "inet_wait_for_connect() stops waiting so that the signal handler can run; the kernel "
    .. "continues the handshake. A call with a time limit is not restarted, because the restarted "
    .. "call would wait for the whole limit again: sock_intr_errno() returns EINTR.",
  tags = { "connect", "signals", "calls" },
  quiz = {
    asks = "A signal interrupts a connect with a time limit (SO_SNDTIMEO): EINTR. What happens to "
      .. "the connection?",
    { "The handshake continues, and the socket becomes ESTABLISHED", right = true },
    { "It ends: the program must call connect again to start a new one",
      because = "The kernel does the handshake; the program only waited for it." },
    { "The kernel resets it, because no call waits for it",
      because = "The socket still exists, and its SYN has been sent." },
    { "It is undefined: the program can only close the socket",
      because = "POSIX defines it: the request is not aborted, and continues asynchronously." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local syn_ack = lab:hold("kodos > kang", "tcp")
    local client = kang:dnc("--repl")
    client:type("socket\n")
    client:type "setsockopt SO_SNDTIMEO 60s\nconnect kodos 8080\n"
    lab:expect(client):call("connect"):is_entered()
    lab:expect(client):in_state "SYN_SENT"
    client:signal "SIGUSR1"
    lab:expect(client):call("connect"):fails "EINTR"
    lab:expect(client):still_in_state "SYN_SENT"

    syn_ack:remove()
    lab:expect(client):in_state "ESTABLISHED"
    client:type "connect\nconnect\n"
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):call("connect"):fails "EISCONN"
  end,
}
