-- The peer of a program that only reads is powered off. It does not answer keepalive probes, and
-- after the last one the kernel gives up.
return {
  title = "Keepalive finds a power off",
  asks = "How soon does a program that only reads find out that the other end is off?",
  source = "TCP puzzlers, after puzzler 2; RFC 9293 section 3.8.4; RFC 1122 section 4.2.3.6",
  article = "Keepalive finds the dead connection without a write.",
  here = "ETIMEDOUT after idle + interval x count: by default two hours, eleven minutes and "
    .. "fifteen seconds. Measured on Linux 6.18.",
  why = "tcp_keepalive_timer() sends its first probe tcp_keepalive_time after the last segment. "
    .. "It sends tcp_keepalive_probes probes, tcp_keepalive_intvl apart. If none is answered, it "
    .. "sends a RST, in case the peer can still hear it, and ends the connection with ETIMEDOUT.",
  tags = { "puzzlers", "keepalive", "power" },
  quiz = {
    asks = "A program with SO_KEEPALIVE only reads. The other end is off. With Linux's defaults, "
      .. "when does the program get an error?",
    { "After more than two hours: ETIMEDOUT", right = true,
      because = "tcp_keepalive_time is 7200 s, then 9 probes follow, 75 s apart. Here both times "
        .. "are a second or two." },
    { "After about 75 seconds: ETIMEDOUT",
      because = "75 s is the time between two probes. The first goes out after two hours of "
        .. "silence." },
    { "At the first probe: ECONNRESET", because = "No host is there to send a RST." },
    { "Never: keepalive only works for programs that write",
      because = "The opposite is true: while data is in flight, keepalive does nothing." },
  },

  run = function(lab)
    local kang, kodos = lab:pair {
      sysctls = {
        ["net.ipv4.tcp_keepalive_time"] = "2",
        ["net.ipv4.tcp_keepalive_intvl"] = "1",
        ["net.ipv4.tcp_keepalive_probes"] = "2",
      },
    }
    local client = lab:connect(kang, kodos, { client = { "--keepalive", "//" } })
    local last_heard = lab:expect_packet("kodos > kang", "SYN ACK")
    lab:expect(client):timer "keepalive"

    kodos:power_off()
    local dies_after = lab:timer("keepalive_timeout", kang)
    local time_limit = dies_after * 1.5 + 2 * lab.second
    lab:expect(client):within(time_limit):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    local reset = lab:expect_packet("kang > kodos", "RST",
      { fate = "lost" })
    lab:expect_time(reset.t - last_heard.t, dies_after, "giving up by keepalive")
    lab:expect(client):in_state "CLOSED"
  end,
}
