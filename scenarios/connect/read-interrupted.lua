-- A signal interrupts a blocked read. No data is lost. Whether the program sees EINTR depends on
-- SA_RESTART and on the socket's receive timeout.
return {
  title = "read interrupted by a signal",
  asks = "What happens to a read that a signal interrupts?",
  source = "read(2), EINTR; signal(7), on SO_RCVTIMEO and SA_RESTART",
  here = "With SO_RCVTIMEO, read fails with EINTR, and the next read returns the data. Without it "
    .. "and with SA_RESTART, the kernel restarts the read, and the program notices nothing. Any "
    .. "Linux version.",
  why = "tcp_recvmsg() returns sock_intr_errno(). Without a time limit that is ERESTARTSYS, and "
    .. "SA_RESTART makes the kernel restart the read. With a time limit it is EINTR, because a "
    .. "restarted read would wait for the whole limit again.",
  tags = { "connect", "signals", "calls", "socket-options" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" } }
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
