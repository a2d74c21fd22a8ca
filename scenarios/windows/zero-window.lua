-- The reader does not read, its buffer is full, and its kernel advertises a window of zero. A peer
-- that answers zero-window probes is alive, so TCP waits for it forever.
return {
  title = "Zero window, peer alive",
  asks = "How long does a connection live if its reader has stopped reading?",
  source = "RFC 9293 section 3.8.6.1; RFC 1122 section 4.2.2.17; tcp(7)",
  here = "Forever. The sender probes at growing intervals, and the peer answers each probe with a "
    .. "window of zero. Both ends stay ESTABLISHED for longer than tcp_retries2 allows for "
    .. "unacknowledged data. TCP_USER_TIMEOUT, if set, ends the connection. Any Linux version.",
  why = "The answer to a probe resets the probe counter (tcp_ack() sets icsk_probes_out to 0), "
    .. "and tcp_retries2 limits only unanswered probes. RFC 1122: the connection MUST stay open "
    .. "as long as the receiver answers.",
  tags = { "windows", "window", "probes" },
  quiz = {
    asks = "The reader has stopped reading, and its window is zero. How long does the connection "
      .. "live?",
    { "Forever, as long as the probes are answered", right = true },
    { "Until tcp_retries2's time has passed", because = "That limits only unanswered probes." },
    { "Until keepalive's time has passed",
      because = "Keepalive probes are answered, too, and it is off here." },
    { "A minute: then the sender resets it",
      because = "RFC 1122: the connection MUST stay open as long as the receiver answers." },
  },

  run = function(lab)
    -- A small buffer fills up quickly.
    local client, server = lab:connected { sysctls = { ["net.ipv4.tcp_rmem"] = "4096 8192 8192" } }

    server:freeze()
    client:type(string.rep("x", 12000) .. "the end\n")
    lab:expect(client):call("write"):returns(12008)
    local full = lab:expect_packet("kodos > kang", "zero window")
    local conn = lab:connection(client)
    lab:expect(conn):timer "persist"
    if conn.send_queue == 0 then error "all was acknowledged" end
    local dead_after = lab:timer("r2", client)
    local last
    repeat
      lab:expect_packet("kang > kodos", "window probe", { within = 2 * dead_after })
      last = lab:expect_packet("kodos > kang", "zero window", { within = 1 })
    until last.t - full.t > dead_after
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"

    server:thaw()
    lab:expect(server):within(2 * dead_after):prints "the end"
  end,
}
