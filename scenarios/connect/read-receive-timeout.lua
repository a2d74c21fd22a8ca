-- The same for reading: silence is no error of the connection, but a read may be told not to wait
-- for ever. The errno is that of a non-blocking read.
return {
  title = "SO_RCVTIMEO on read",
  asks = "What does read return when the socket's receive timeout ends?",
  source = "socket(7), SO_RCVTIMEO",
  here = "EAGAIN after the timeout; the connection stays ESTABLISHED, and a later read brings the "
    .. "data. Any Linux.",
  why = "tcp_recvmsg() waits no longer than SO_RCVTIMEO in sk_wait_data(), and then answers as if "
    .. "the socket were non-blocking. ETIMEDOUT is for what the kernel gave up, which is not so.",
  tags = { "connect", "timeout", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    local patience = 0.3 * lab.second
    client:type("setsockopt SO_RCVTIMEO " .. patience .. "s\nread\n")
    local read = lab:expect(client):call("read"):fails "EAGAIN"
    lab:expect_time(read.t - read.entered, patience, "the read")
    lab:expect(client):still_in_state "ESTABLISHED"

    server:type "late, but here\n"
    client:type "read\n"
    lab:expect(client):call("read"):returns(15)
  end,
}
