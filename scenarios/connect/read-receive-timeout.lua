-- A peer that sends nothing does not end a connection, so a blocking read may wait forever.
-- SO_RCVTIMEO limits the wait. The errno is that of a non-blocking read, not ETIMEDOUT.
return {
  title = "SO_RCVTIMEO on read",
  asks = "What does read return when the socket's receive timeout expires?",
  source = "socket(7), SO_RCVTIMEO",
  here = "EAGAIN after the timeout. The connection stays ESTABLISHED, and a later read returns the "
    .. "data. Any Linux version.",
  why = "tcp_recvmsg() waits in sk_wait_data() no longer than SO_RCVTIMEO and then returns the "
    .. "errno of a non-blocking read. ETIMEDOUT would mean that the kernel has given up the "
    .. "connection, which it has not.",
  tags = { "connect", "timeout", "socket-options" },

  run = function(lab)
    local client, server = lab:connected { client = { "--repl" } }
    local receive_timeout = 0.3 * lab.second
    client:type("setsockopt SO_RCVTIMEO " .. receive_timeout .. "s\nread\n")
    local read = lab:expect(client):call("read"):fails "EAGAIN"
    lab:expect_time(read.t - read.entered, receive_timeout, "the read")
    lab:expect(client):still_in_state "ESTABLISHED"

    server:type "late, but here\n"
    client:type "read\n"
    lab:expect(client):call("read"):returns(15)
  end,
}
