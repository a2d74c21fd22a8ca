-- A program that only reads would never notice that the peer was power cycled. The kernel sends
-- keepalive probes for it, and the peer's new kernel answers the first one with a RST.
return {
  title = "Keepalive finds a power cycle",
  asks = "Does a program that only reads find out that the other end was power cycled?",
  source = "TCP puzzlers, after puzzler 1; RFC 9293 section 3.8.4; tcp(7), SO_KEEPALIVE",
  article = "Keepalive finds the half-open connection without a write.",
  here = "Yes, with ECONNRESET at the first probe, which goes out tcp_keepalive_time (two hours "
    .. "by default) after the last segment. Measured on Linux 6.18.",
  why = "A probe is a segment with an old sequence number, which asks for an acknowledgment. The "
    .. "new kernel does not know the connection and answers with a RST.",
  tags = { "puzzlers", "keepalive", "power" },
  quiz = {
    asks = "A program with SO_KEEPALIVE only reads. The other end is power cycled. What error "
      .. "does the first probe cause?",
    { "ECONNRESET", right = true },
    { "ETIMEDOUT",
      because = "ETIMEDOUT means that no answer came. The new kernel does answer, with a RST." },
    { "None: the new kernel answers the probe as the old one would",
      because = "A probe belongs to a connection, and the new kernel does not know that "
        .. "connection." },
    { "None: read returns 0, end of stream",
      because = "That takes a FIN, and a kernel cannot close a connection that it does not know." },
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

    kodos:power_cycle()
    local idle = tonumber(kang:sysctl "net.ipv4.tcp_keepalive_time")
    lab:expect(client):within(idle * 1.5 + 2 * lab.second):call("poll"):reports "IN|ERR|HUP"
    local reset = lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect_time(reset.t - last_heard.t, idle, "the first keepalive probe")
    lab:expect(client):in_state "CLOSED"
  end,
}
