-- A signal interrupts a write that waits for space in the send buffer. If some bytes were accepted,
-- write returns their count; only if none were does it fail with EINTR. A program that ignores a
-- short count loses or repeats data.
return {
  title = "write interrupted by a signal",
  asks = "What has been sent when a signal interrupts a write?",
  source = "send(2), EINTR; signal(7), on SO_SNDTIMEO and SA_RESTART",
  here = "The bytes that write has already copied into the send buffer. write returns their count. "
    .. "If there are none, and SO_SNDTIMEO is set, it fails with EINTR. Any Linux version.",
  why = "tcp_sendmsg_locked() returns the number of bytes copied. If there are none, "
    .. "sk_stream_error() returns sock_intr_errno(): EINTR if the wait has a limit, otherwise "
    .. "ERESTARTSYS, which SA_RESTART turns into a restarted call.",
  tags = { "connect", "signals", "calls", "windows" },

  run = function(lab)
    local client, server = lab:connected {
      client = { "--repl", "--sndbuf", 4096 }, server = { "--rcvbuf", 4096 },
    }

    server:freeze()
    client:type "setsockopt SO_SNDTIMEO 60s\n"
    lab:expect(client):call("setsockopt", "SO_SNDTIMEO"):returns(0)
    local function interrupted_write()
      client:type "fill 1000000\n"
      lab:expect(client):call("write"):is_entered()
      lab:expect(client):sleeps()
      client:signal "SIGUSR1"
      return lab:expect(client):call("write"):returns()
    end
    local short = interrupted_write()
    lab:check(short.result > 0 and short.result < 1000000, "the write is short", short.result)
    lab:expect_packet("kodos > kang", "zero window")
    local write = interrupted_write()
    while write.result > 0 do -- until the send buffer is really full
      write = interrupted_write()
    end
    lab:check(write.errno == "EINTR", "a write without any bytes fails with EINTR", write.errno)
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
