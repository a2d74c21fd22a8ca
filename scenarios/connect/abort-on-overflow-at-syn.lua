-- What tcp_abort_on_overflow does not do: a SYN that finds the queue full already is ignored all
-- the same. Whoever sets it to make clients fail fast gets both behaviours, by luck of timing.
return {
  title = "Abort on overflow, at the SYN",
  asks = "Does tcp_abort_on_overflow make a full queue refuse new connections at once?",
  source = "ip-sysctl, tcp_abort_on_overflow",
  here = "No: no RST; the client stays in SYN_SENT and ends with ETIMEDOUT. Any Linux.",
  why = "tcp_conn_request() drops the SYN when the queue is full and does not ask for the sysctl, "
    .. "which only the end of a handshake looks at (tcp_check_req()).",
  tags = { "connect", "backlog", "timeout" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_abort_on_overflow"] = 1 } }
    kodos:dnc("--backlog", 0, "--no-accept", "-l", 8080)
    local first = kang:dnc(kodos, 8080)
    lab:expect(first):in_state "ESTABLISHED"

    local second = kang:dnc(kodos, 8080)
    lab:expect(second):in_state "SYN_SENT"
    local gives_up_after = lab:timer("connect_timeout", kang)
    lab:never_packet(gives_up_after / 2, "kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(second):within(gives_up_after + 2 * lab.second):call("connect"):fails "ETIMEDOUT"
  end,
}
