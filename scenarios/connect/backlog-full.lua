-- The kernel completes handshakes before the program calls accept. A listener's accept queue holds
-- backlog + 1 connections. When the queue is full, the kernel ignores new SYNs instead of refusing
-- them, so clients retry and finally time out.
return {
  title = "Accept queue full",
  asks = "What does a client see when the server's accept queue is full?",
  source = "listen(2); ip-sysctl, somaxconn, tcp_abort_on_overflow",
  here = "With listen(1), two connections are ESTABLISHED on both sides. The third client stays in "
    .. "SYN_SENT until connect fails with ETIMEDOUT. Any Linux version.",
  why = "sk_acceptq_is_full() tests whether the queue is longer than the backlog, so one more "
    .. "connection fits. After that, tcp_conn_request() silently drops the SYN; to the client it "
    .. "looks lost.",
  tags = { "connect", "backlog", "timeout" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("--backlog", 1, "--no-accept", "-l", 8080)
    local first = kang:dnc(kodos, 8080)
    local second = kang:dnc(kodos, 8080)
    lab:expect(first):in_state "ESTABLISHED"
    lab:expect(second):in_state "ESTABLISHED"

    local third = kang:dnc(kodos, 8080)
    local time_limit = lab:timer("syn_r2", kang) * 1.5 + 2 * lab.second
    lab:expect(third):in_state "SYN_SENT"
    lab:expect(third):within(time_limit):call("connect"):fails "ETIMEDOUT"
    lab:expect(first):still_in_state "ESTABLISHED"
    lab:expect(second):still_in_state "ESTABLISHED"
  end,
}
