-- A signal ends a write that waits for room. If some of the bytes had been taken the program gets
-- their count; if none had, EINTR. Whoever takes EINTR for "nothing was sent" is right only then.
return {
  title = "Write interrupted",
  asks = "What has been sent when a signal interrupts a write?",
  source = "send(2), EINTR; signal(7), on SO_SNDTIMEO and SA_RESTART",
  here = "A write that had put something into the send buffer returns that count; one that had "
    .. "not, with SO_SNDTIMEO, fails with EINTR. What was taken is sent. Any Linux.",
  why = "tcp_sendmsg_locked() returns what it has copied; where that is nothing, sk_stream_error() "
    .. "says sock_intr_errno(): EINTR where the wait has a limit, else ERESTARTSYS, which "
    .. "SA_RESTART hides.",
  tags = { "connect", "signals", "calls", "windows" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--rcvbuf", 4096, "-l", 8080)
    local client = kang:dnc("--repl", "--sndbuf", 4096, kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:freeze()
    client:type "setsockopt SO_SNDTIMEO 60s\n"
    lab:expect(client):call("setsockopt"):returns(0)
    local function interrupted_write()
      client:type "fill 1000000\n"
      lab:expect(client):call("write"):is_entered()
      lab:expect(client):sleeps()
      client:signal "SIGUSR1"
      return lab:expect(client):call("write"):returns()
    end
    local short = interrupted_write()
    if short.result <= 0 or short.result >= 1000000 then
      error("a short write was expected, and it returned " .. short.result)
    end
    lab:expect_packet("kodos > kang", "tcp[14:2] = 0")
    local write = interrupted_write()
    while write.result > 0 do -- what the last segments had left over
      write = interrupted_write()
    end
    if write.errno ~= "EINTR" then error("EINTR was expected, not " .. write.errno) end
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
