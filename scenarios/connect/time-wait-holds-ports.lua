-- A client that closes first keeps each port in TIME_WAIT for a minute. With thousands of short
-- connections it runs out of ports, although no connection is open.
return {
  title = "TIME_WAIT holds the client's ports",
  asks = "Why does connect find no free port although all connections are closed?",
  source = "ip-sysctl, tcp_tw_reuse, tcp_tw_reuse_delay; RFC 6191; connect(2), EADDRNOTAVAIL",
  here = "TIME_WAIT holds each port for 60 s, and connect fails with EADDRNOTAVAIL. With "
    .. "tcp_tw_reuse = 1 connect can use the port again after one second; the default, 2, allows "
    .. "that only on the loopback. Linux 4.12 or newer.",
  why = "__inet_check_established() finds the 4-tuple in use by a socket in TIME_WAIT. "
    .. "tcp_twsk_unique() lets a new connection take it over once the timestamp clock has "
    .. "advanced. The peer can then tell old segments from new ones (PAWS, RFC 7323 section 5).",
  tags = { "connect", "time-wait", "ports" },

  run = function(lab)
    local kang, kodos = lab:pair {
      sysctls = {
        ["net.ipv4.ip_local_port_range"] = "40000 40000",
      },
    }
    local first = lab:connect(kang, kodos, {
      client = { "--on-stdin-eof", "close" }, server = { "--nc", "-k" },
    })
    first:close_stdin()
    lab:expect(first):exits(0)
    local waiting = lab:expect(first):in_state "TIME_WAIT"

    local second = kang:dnc(kodos, 8080)
    lab:expect(second):call("connect"):fails "EADDRNOTAVAIL"
    lab:expect(second):exits(1)
    kang:sysctl("net.ipv4.tcp_tw_reuse", 1)
    lab:wait(math.max(0, waiting.t + 1.25 * lab:timer("time_wait_reuse", kang) - lab:now()))
    local third = kang:dnc(kodos, 8080)
    lab:expect(third):call("connect"):returns(0)
    lab:expect(third):in_state "ESTABLISHED"
  end,
}
