-- tcp_abort_on_overflow does not help a client whose SYN meets a full accept queue: the kernel
-- drops the SYN, and the client times out. The sysctl acts only on the last ACK of a handshake, so
-- whether a client fails fast is a matter of timing.
return {
  title = "tcp_abort_on_overflow has no effect on SYNs",
  asks = "Does tcp_abort_on_overflow make a full accept queue refuse new connections at once?",
  source = "ip-sysctl, tcp_abort_on_overflow",
  here = "No. The server sends no RST. The client stays in SYN_SENT until connect fails with "
    .. "ETIMEDOUT. Any Linux version.",
  why = "tcp_conn_request() drops the SYN when the accept queue is full; it does not read the "
    .. "sysctl. Only tcp_check_req() reads it, when the last ACK of the handshake arrives.",
  tags = { "connect", "backlog", "timeout" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_abort_on_overflow"] = 1 } }
    kodos:dnc("--backlog", 0, "--no-accept", "-l", 8080)
    local first = kang:dnc(kodos, 8080)
    lab:expect(first):in_state "ESTABLISHED"

    local second = kang:dnc(kodos, 8080)
    lab:expect(second):in_state "SYN_SENT"
    local gives_up_after = lab:timer("syn_r2", kang)
    lab:never_packet(gives_up_after / 2, "kodos > kang", "RST")
    lab:expect(second):within(gives_up_after + 2 * lab.second):call("connect"):fails "ETIMEDOUT"
  end,
}
