-- The reader does not read, its buffer is full, and its kernel says so: a window of zero. That is
-- not like silence. A peer that answers, if only "no room", is alive, and is waited for for ever.
return {
  title = "Zero window, peer alive",
  asks = "How long does a connection live whose reader has stopped to read?",
  source = "RFC 9293 section 3.8.6.1; RFC 1122 section 4.2.2.17; tcp(7)",
  here = "For ever: probes, ever less often, each of them answered with a window of zero. Both "
    .. "ends stay ESTABLISHED, beyond what tcp_retries2 allows for data that is not acknowledged. "
    .. "Any Linux; TCP_USER_TIMEOUT ends it where it is set.",
  why = "An answer to a probe resets the count (tcp_ack_probe(), icsk_probes_out = 0), and "
    .. "tcp_retries2 is about probes that are not answered. RFC 1122: it is a MUST that the "
    .. "connection stays open as long as the receiver answers.",
  tags = { "windows", "window", "probes" },
  quiz = {
    asks = "The reader has stopped to read, and its window is zero. For how long does the "
      .. "connection live?",
    { "For ever, as long as the probes are answered", right = true },
    { "Until tcp_retries2's time has passed", because = "That counts probes that nobody answers." },
    { "Until keepalive's time has passed",
      because = "Keepalive probes are answered, too, and it is off here." },
    { "A minute: then the sender resets it",
      because = "RFC 1122: the connection MUST stay open for as long as the receiver answers." },
  },

  run = function(lab)
    -- A small buffer is soon full.
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_rmem"] = "4096 8192 8192" } }
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:freeze()
    client:type(string.rep("x", 30000) .. "the end\n")
    lab:expect(client):call("write"):returns(30008)
    local full = lab:expect_packet("kodos > kang", "tcp[14:2] = 0")
    local dead_after = lab:timer("retransmission_timeout", client)
    local last
    repeat
      lab:expect_packet("kang > kodos", "tcp", { within = 2 * dead_after })
      last = lab:expect_packet("kodos > kang", "tcp[14:2] = 0", { within = 1 })
    until last.t - full.t > dead_after
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"

    server:thaw()
    lab:expect(server):within(2 * dead_after):prints "the end"
  end,
}
