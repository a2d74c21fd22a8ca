-- SO_SNDTIMEO turns a write that blocks into one that gives up: with a count of what it took, or
-- EAGAIN. What it took is in the stream: writing the whole again sends the beginning twice.
return {
  title = "SO_SNDTIMEO",
  asks = "What has been sent when a write times out?",
  source = "socket(7), SO_SNDTIMEO; send(2)",
  here = "The first write returns fewer bytes than it was given, after the timeout; a later one, "
    .. "when nothing fits any more, EAGAIN. The connection is ESTABLISHED and goes on. Linux, "
    .. "measured on 6.18.",
  why = "tcp_sendmsg_locked() waits for memory (sk_stream_wait_memory()) as long as sk_sndtimeo, "
    .. "and says how much it has copied; where that is nothing, EAGAIN.",
  tags = { "options", "windows" },

  run = function(lab)
    local patience = 300 * lab.millisecond
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--rcvbuf", 4096, "-l", 8080)
    local client = kang:dnc("--repl", "--sndbuf", 4096, kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:freeze()
    client:type("setsockopt SO_SNDTIMEO 300ms\n" .. ("fill 1000000\n"):rep(5))
    local short = lab:expect(client):call("write"):returns()
    if short.result <= 0 or short.result >= 1000000 then
      error("a short write was expected, and it returned " .. short.result)
    end
    lab:expect_time(short.t - short.entered, patience, "the first write")
    local again = lab:expect(client):call("write"):fails "EAGAIN"
    lab:expect_time(again.t - again.entered, patience, "the write that took nothing")
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
