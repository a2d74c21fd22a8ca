-- With SO_SNDTIMEO a blocking write returns when its time limit expires. It returns the number of
-- bytes that it has copied, or fails with EAGAIN if there are none. The kernel sends the copied
-- bytes, so a program that writes everything again sends the beginning twice.
return {
  title = "SO_SNDTIMEO",
  asks = "What has been sent when a write times out?",
  source = "socket(7), SO_SNDTIMEO; send(2)",
  here = "As many bytes as write returns. After the timeout the first write returns fewer bytes "
    .. "than it was given. A later write, which finds the send buffer full, fails with EAGAIN. The "
    .. "connection stays ESTABLISHED and usable. Measured on Linux 6.18.",
  why = "tcp_sendmsg_locked() waits for memory (sk_stream_wait_memory()) for at most sk_sndtimeo. "
    .. "It returns how many bytes it copied, or EAGAIN if none.",
  tags = { "options", "windows" },

  run = function(lab)
    local patience = 300 * lab.millisecond
    local client, server = lab:connected {
      client = { "--repl", "--sndbuf", 4096 }, server = { "--rcvbuf", 4096 },
    }

    server:freeze()
    client:type("setsockopt SO_SNDTIMEO 300ms\n" .. ("fill 1000000\n"):rep(5))
    local short = lab:expect(client):call("write"):returns()
    lab:check(short.result > 0 and short.result < 1000000, "the write is short", short.result)
    lab:expect_time(short.t - short.entered, patience, "the first write")
    local refused = lab:expect(client):call("write"):fails "EAGAIN"
    lab:expect_time(refused.t - refused.entered, patience, "the write that fails")
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
