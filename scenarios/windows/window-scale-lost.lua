-- A middlebox sets the window scale to 0, so the two ends disagree about the window and transfers
-- crawl. When Linux 2.6.8 enabled window scaling by default, some web sites became slow, because
-- routers did this.
return {
  title = "A middlebox zeroes the window scale",
  asks = "Why does a transfer crawl, a few bytes at a time, although nothing is lost?",
  source = "RFC 7323 section 2.2; LWN, \"TCP window scaling and broken routers\" (2004)",
  here = "Because the sender takes the window for a much smaller one. connect is fast, and so is "
    .. "the data that fits into the first window, which is not scaled. After that, the client "
    .. "sends only as many bytes per RTO as the unscaled window field says. tcp_window_scaling = 0 "
    .. "at one end fixes it. Measured on Linux 6.18.",
  why = "kodos shifts its windows right before it announces them, but kang does not shift them "
    .. "left. For kang, a window of 64 KiB is one of about 64 bytes. That is less than half of the "
    .. "largest window seen, so kang does not send at once (silly window avoidance, RFC 9293 "
    .. "section 3.8.6.2.1). Only tcp_write_wakeup() sends, on the timer of zero-window probes.",
  tags = { "windows", "window", "middlebox", "throughput" },
  quiz = {
    asks = "A middlebox sets the window scale in a SYN/ACK to 0. The server reads everything that "
      .. "arrives. How does the client's upload of 100 kB go?",
    { "It crawls: a few bytes per RTO", right = true },
    { "At full speed: the window is only a limit",
      because = "The client takes a window of 64 KiB for about 64 bytes." },
    { "ETIMEDOUT", because = "The server acknowledges everything at once." },
    { "The connection is reset", because = "Both ends see only valid sequence numbers." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    -- The option follows MSS, SACK permitted, timestamps and a NOP; skip its kind and length.
    local shift_count = 20 + 4 + 2 + 10 + 1 + 2
    local middlebox = lab:corrupt("kodos > kang", "SYN ACK",
      { offset = shift_count, value = 0, checksum = "fixed" })
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    local syn_ack = lab:expect_packet("kodos > kang", "SYN ACK")
    if not syn_ack.summary:find "wscale [1-9]" then lab:skip "kodos offers no window scale" end
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    middlebox:remove()

    client:type(("x"):rep(100000))
    local small = "tcp[tcpflags] & tcp-push != 0 and less 700"
    local before = lab:expect_packet("kang > kodos", small)
    for _ = 1, 4 do
      local window = lab:expect_packet("kodos > kang", "ACK only", { fate = "delivered" }).window
      local timeout = lab:timer("tail_loss_probe", client) -- each ACK changes the RTO
      local sent = lab:expect_packet("kang > kodos", small)
      lab:check(sent.length <= window, "the data fits the window of " .. window, sent.length)
      lab:expect_time(sent.t - before.t, timeout, "sending the next few bytes")
      before = sent
    end

    kodos:sysctl("net.ipv4.tcp_window_scaling", 0)
    local cured = kodos:dnc("-l", 8081)
    local second = kang:dnc(kodos, 8081)
    lab:expect(second):in_state "ESTABLISHED"
    second:type(("x"):rep(100000) .. "the end")
    lab:expect(cured):prints "the end"
  end,
}
