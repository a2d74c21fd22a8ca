-- The program wrote a lot, closed and ended; the peer lives and reads slowly. The kernel has the
-- rest of the data, and the peer's window is closed: an orphan that waits, but not for ever.
return {
  title = "An orphan and a closed window",
  asks = "Is data delivered that was written before close, if the peer reads very slowly?",
  source = "RFC 1122 section 4.2.2.17; ip-sysctl, tcp_orphan_retries; tcp_probe_timer()",
  here = "Only if the peer reads before the probes' interval has grown to its ceiling (120 s by "
    .. "default): then the orphan is dropped, though each probe was answered. The peer reads what "
    .. "it has, and then ECONNRESET, with the rest lost. Linux, measured on 6.18.",
  why = "tcp_probe_timer(): for a SOCK_DEAD socket whose backed-off timeout is not below "
    .. "tcp_rto_max, tcp_orphan_retries() without \"alive\" is the limit, 0 by default. With a "
    .. "program, answered probes go on for ever.",
  tags = { "close", "orphan", "windows" },
  needs = { "sysctl net.ipv4.tcp_rto_max_ms" }, -- else it takes minutes

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_rto_max_ms"] = "1000",
      ["net.ipv4.tcp_orphan_retries"] = "0",
      ["net.ipv4.tcp_retries2"] = "15", -- so often may the interval double
    } }
    local server = kodos:dnc("--repl", "--rcvbuf", 4096, "-l", 8080)
    local client = kang:dnc("--repl", "--sndbuf", 200000, kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    client:type "fill 100000\nclose\n"
    lab:expect(client):call("write"):returns(100000)
    lab:expect(client):call("close"):returns(0)
    lab:expect(client):in_state "FIN_WAIT1"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack and tcp[14:2] = 0")
    lab:expect(client):within(10 * lab.second):in_state "CLOSED"
    lab:expect(server):still_in_state "ESTABLISHED"

    server:type "read 100000\nread 100000\n"
    local read = lab:expect(server):call("read"):returns()
    if read.result <= 0 or read.result >= 100000 then error("read returned " .. read.result) end
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(server):call("read"):fails "ECONNRESET"
  end,
}
