-- A signal ends a waiting read, and takes no data with it. Whether the program sees EINTR at all
-- depends on how the handler was installed, and on a time limit.
return {
  title = "Read interrupted",
  asks = "What becomes of a read that a signal interrupts?",
  source = "read(2), EINTR; signal(7), on SO_RCVTIMEO and SA_RESTART",
  here = "With SO_RCVTIMEO: EINTR, and the next read has the data. Without, and with SA_RESTART: "
    .. "the kernel goes back into the read, and the program notices nothing. Any Linux.",
  why = "tcp_recvmsg() returns sock_intr_errno(): ERESTARTSYS where the wait has no limit, which "
    .. "SA_RESTART turns into a read that goes on, and EINTR where it has one, since a read that "
    .. "is restarted would begin to count anew.",
  tags = { "connect", "signals", "calls", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    client:type "setsockopt SO_RCVTIMEO 60s\nread\n"
    lab:expect(client):call("read"):is_entered()
    lab:expect(client):sleeps()
    client:signal "SIGUSR1"
    lab:expect(client):call("read"):fails "EINTR"
    server:type "hello\n"
    client:type "read\n"
    lab:expect(client):call("read"):returns(6)

    client:type "setsockopt SO_RCVTIMEO 0s\nread\n"
    lab:expect(client):call("read"):is_entered()
    lab:expect(client):sleeps()
    client:signal "SIGUSR1"
    lab:expect(client):prints "dnc: "
    server:type "hello again\n"
    lab:expect(client):call("read"):returns(12)
  end,
}
