-- Linux 2.6.8 offered window scaling by default, and half the Web became slow: routers that did
-- not know the option had set its shift count to 0. Each end was then sure of another window.
return {
  title = "A middlebox zeroes the window scale",
  asks = "Why does a transfer crawl, a few octets at a time, with nothing lost?",
  source = "RFC 7323 section 2.2; LWN, \"TCP window scaling and broken routers\" (2004)",
  here = "connect is fast, and so is what fits into the first window, which is not scaled. Then "
    .. "each retransmission timeout brings as many octets as the window field says, unshifted. "
    .. "tcp_window_scaling = 0 at one end cures it. Measured on Linux 6.18.",
  why = "kodos shifts its windows to the right, and kang does not shift them back: of 64 KiB it "
    .. "believes in some 64 octets. Less than half of the largest window seen is not sent to at "
    .. "once (silly window avoidance, RFC 9293 section 3.8.6.2.1), only by tcp_write_wakeup(), "
    .. "whose timer is that of zero-window probes.",
  tags = { "windows", "window", "middlebox", "throughput" },
  quiz = {
    asks = "A middlebox sets the window scale in a SYN,ACK to 0. The server reads all that comes. "
      .. "How does the client's upload of 100 kB go?",
    { "It crawls: a few octets in each retransmission timeout", right = true },
    { "At full speed: the window is only a limit",
      because = "Of a window of 64 KiB the client believes in some 64 octets." },
    { "ETIMEDOUT", because = "All that is sent is acknowledged at once." },
    { "The connection is reset", because = "No number is wrong for either end." },
  },

  run = function(lab)
    local kang, kodos = lab:pair()
    -- Behind MSS, SACK permitted, timestamps, one NOP, and the option's kind and length.
    local shift_count = 20 + 4 + 2 + 10 + 1 + 2
    local middlebox = lab:corrupt("kodos > kang", "tcp[tcpflags] & tcp-syn != 0",
      { offset = shift_count, value = 0, checksum = "mended" })
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    local syn_ack = lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-syn != 0")
    if not syn_ack.summary:find "wscale [1-9]" then lab:skip "no window scale to be lost" end
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    middlebox:lift()

    client:type(("x"):rep(100000))
    local timeout = lab:timer("tail_loss_probe", client)
    local small = "tcp[tcpflags] & tcp-push != 0 and less 700"
    local before = lab:expect_packet("kang > kodos", small)
    for _ = 1, 4 do
      local window = lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack").window
      local crumb = lab:expect_packet("kang > kodos", small)
      if crumb.length > window then error(crumb.length .. " octets into a window of " .. window) end
      lab:expect_time(crumb.t - before.t, timeout, "the next few octets")
      before = crumb
    end

    kodos:sysctl("net.ipv4.tcp_window_scaling", 0)
    local cured = kodos:dnc("-l", 8081)
    local second = kang:dnc(kodos, 8081)
    lab:expect(second):in_state "ESTABLISHED"
    second:type(("x"):rep(100000) .. "the end")
    lab:expect(cured):prints "the end"
  end,
}
