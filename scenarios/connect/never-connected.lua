-- A socket fresh from socket(2) is in state CLOSED: it has no peer, and every call says so in a
-- different way. An event loop that polls it by mistake spins, for it is always "ready".
return {
  title = "Never connected",
  asks = "What do poll, read, write and shutdown say of a socket that was never connected?",
  source = "poll(2); read(2); write(2), EPIPE; shutdown(2), ENOTCONN; RFC 9293 section 3.10.2",
  here = "poll: OUT|HUP (0x14) at once; read: ENOTCONN; write: EPIPE, and SIGPIPE unless it is "
    .. "ignored; shutdown: ENOTCONN. SO_ERROR is 0: nothing has failed. Any Linux.",
  why = "tcp_poll() reports HUP for a socket in state CLOSE. tcp_recvmsg() says ENOTCONN where "
    .. "nothing was ever received; for sending, sk_stream_wait_connect() takes a socket that is "
    .. "neither connected nor connecting for one that can send no more: EPIPE (sk_stream_error()).",
  tags = { "connect", "poll", "calls" },

  run = function(lab)
    local kang = lab:pair()
    local program = kang:dnc("--repl", "--ignore-sigpipe")
    program:type("socket " .. lab.family .. "\n")
    program:type "poll in|out 0s\nread\nrecv 10\nwrite hello\nsend hello\n"
    lab:expect(program):call("poll"):returns(1, "OUT|HUP")
    lab:expect(program):call("read"):fails "ENOTCONN"
    lab:expect(program):call("recv"):fails "ENOTCONN"
    lab:expect(program):call("write"):fails "EPIPE"
    lab:expect(program):call("send"):fails "EPIPE"
    program:type "shutdown wr\naccept\ngetsockopt SO_ERROR\nclose\n"
    lab:expect(program):call("shutdown"):fails "ENOTCONN"
    lab:expect(program):call("accept"):fails "EINVAL"
    lab:expect(program):call("getsockopt"):returns(0)
    lab:expect(program):call("close"):returns(0)
    lab:never_packet(0.1 * lab.second, "kang > *", "tcp")

    local careless = kang:dnc("--repl")
    careless:type("socket " .. lab.family .. "\nwrite hello\n")
    lab:expect(careless):killed_by "SIGPIPE"
  end,
}
