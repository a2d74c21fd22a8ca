-- The program writes a lot of data and closes, and the peer does not read. The kernel holds the
-- rest of the data behind a zero window. It drops the orphan after a time, and the data is lost.
return {
  title = "Orphan with a zero window",
  asks = "Does data that was written before close still arrive if the peer reads very slowly?",
  source = "RFC 1122 section 4.2.2.17; ip-sysctl, tcp_orphan_retries; tcp_probe_timer()",
  here = "Only if the peer reads before the probe interval has grown to its maximum (120 s by "
    .. "default). At the maximum the kernel drops the orphan, although the peer answered every "
    .. "probe. The peer reads what it has, then gets ECONNRESET; the rest is lost. Measured on "
    .. "Linux 6.18.",
  why = "For an orphan (SOCK_DEAD) whose probe interval has reached tcp_rto_max, tcp_probe_timer() "
    .. "allows tcp_orphan_retries probes. That is 0 by default, so the kernel drops the orphan. "
    .. "For a socket with a program, the kernel probes for as long as the peer answers.",
  tags = { "close", "orphan", "windows" },
  needs = { "sysctl net.ipv4.tcp_rto_max_ms" }, -- otherwise it takes minutes

  run = function(lab)
    local client, server = lab:connected {
      sysctls = {
        ["net.ipv4.tcp_rto_max_ms"] = "1000",
        ["net.ipv4.tcp_orphan_retries"] = "0",
        ["net.ipv4.tcp_retries2"] = "15", -- at most 15 doublings of the interval
      },
      client = { "--repl", "--sndbuf", 200000 },
      server = { "--repl", "--rcvbuf", 4096 },
    }

    client:type "fill 100000\nclose\n"
    lab:expect(client):call("write"):returns(100000)
    lab:expect(client):call("close"):returns(0)
    lab:expect(client):in_state "FIN_WAIT1"
    lab:expect_packet("kodos > kang", "zero window")
    lab:expect(client):within(10 * lab.second):in_state "CLOSED"
    lab:expect(server):still_in_state "ESTABLISHED"

    server:type "read 100000\nread 100000\n"
    local read = lab:expect(server):call("read"):returns()
    lab:check(read.result > 0 and read.result < 100000, "read is short", read.result)
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(server):call("read"):fails "ECONNRESET"
  end,
}
