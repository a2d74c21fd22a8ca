-- A program uses a socket that it never connected. Each call fails in its own way, and poll returns
-- at once, so an event loop that polls such a socket spins.
return {
  title = "Calls on a socket that was never connected",
  asks = "What do poll, read, write and shutdown return on a socket that was never connected?",
  source = "poll(2); read(2); write(2), EPIPE; shutdown(2), ENOTCONN; RFC 9293 section 3.10.2",
  here = "poll returns at once with OUT|HUP (0x14). read and shutdown fail with ENOTCONN. write "
    .. "fails with EPIPE and raises SIGPIPE, unless the program ignores it. SO_ERROR is 0, because "
    .. "nothing has failed. Any Linux version.",
  why = "tcp_poll() reports HUP for a socket in state CLOSE. tcp_recvmsg() returns ENOTCONN if the "
    .. "socket was never connected. tcp_sendmsg_locked() calls sk_stream_wait_connect(), which "
    .. "returns EPIPE for a socket that is neither connected nor connecting.",
  tags = { "connect", "poll", "calls" },

  run = function(lab)
    local kang = lab:pair()
    local program = kang:dnc("--repl", "--ignore-sigpipe")
    program:type("socket\n")
    program:type "poll in|out 0s\nread\nrecv 10\nwrite hello\nsend hello\n"
    lab:expect(program):call("poll"):returns(1, "OUT|HUP")
    lab:expect(program):call("read"):fails "ENOTCONN"
    lab:expect(program):call("recv"):fails "ENOTCONN"
    lab:expect(program):call("write"):fails "EPIPE"
    lab:expect(program):call("send"):fails "EPIPE"
    program:type "shutdown wr\naccept\ngetsockopt SO_ERROR\nclose\n"
    lab:expect(program):call("shutdown"):fails "ENOTCONN"
    lab:expect(program):call("accept"):fails "EINVAL"
    lab:expect(program):call("getsockopt", "SO_ERROR"):gives(0)
    lab:expect(program):call("close"):returns(0)
    lab:never_packet(0.1 * lab.second, "kang > *", "tcp")

    local careless = kang:dnc("--repl")
    careless:type("socket\nwrite hello\n")
    lab:expect(careless):killed_by "SIGPIPE"
  end,
}
