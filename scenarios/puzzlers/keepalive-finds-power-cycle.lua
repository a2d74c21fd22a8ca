-- Keepalive asks in the program's stead: the first probe that reaches the new kernel is answered
-- with a RST, and a program that only reads learns of the power cycle all the same.
return {
  title = "Keepalive finds a power cycle",
  asks = "Does a program that only reads learn that the other end was power cycled?",
  source = "TCP puzzlers, after puzzler 1; RFC 9293 section 3.8.4; tcp(7), SO_KEEPALIVE",
  article = "With keepalive the half-open connection is found without a write.",
  here = "ECONNRESET at the first probe, tcp_keepalive_time (two hours by default) after the last "
    .. "segment. Measured on Linux 6.18.",
  why = "A probe is a segment of the past that asks for an acknowledgment. The kernel that knows "
    .. "of no such connection answers it with a RST.",
  tags = { "puzzlers", "keepalive", "power" },
  quiz = {
    asks = "A program with SO_KEEPALIVE only reads. The other end is power cycled. What does "
      .. "the first probe bring?",
    { "ECONNRESET", right = true },
    { "ETIMEDOUT", because = "For that no answer must come. The new kernel answers, with a RST." },
    { "Nothing: the new kernel answers the probe as the old one would",
      because = "A probe is a segment of a connection, and the new kernel knows of no such "
        .. "connection." },
    { "0, the end of the stream",
      because = "That takes a FIN, and a kernel that knows of no connection cannot close it." },
  },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_keepalive_time"] = "2",
      ["net.ipv4.tcp_keepalive_intvl"] = "1",
      ["net.ipv4.tcp_keepalive_probes"] = "2",
    } }
    kodos:dnc("-l", 8080)
    local client = kang:dnc("--keepalive", "//", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    local established = lab:expect(kodos):in_state "ESTABLISHED"

    kodos:power_cycle()
    local idle = tonumber(kang:sysctl "net.ipv4.tcp_keepalive_time")
    lab:expect(client):within(idle * 1.5 + 2 * lab.second):call("poll"):reports "IN|ERR|HUP"
    local reset = lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):call("read"):fails "ECONNRESET"
    lab:expect_time(reset.t - established.t, idle, "the first probe")
    lab:expect(client):in_state "CLOSED"
  end,
}
