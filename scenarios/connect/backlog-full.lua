-- The kernel accepts connections before the program does, into a queue of the size that listen was
-- told, and one more. When it is full, new SYNs are not refused: they are ignored, so that the
-- client tries again.
return {
  title = "Backlog full",
  asks = "What does a client see when the server's queue of accepted connections is full?",
  source = "listen(2); ip-sysctl, somaxconn, tcp_abort_on_overflow",
  here = "With listen(1) two connections are ESTABLISHED on both sides; the third client stays in "
    .. "SYN_SENT and ends with ETIMEDOUT. Any Linux.",
  why = "sk_acceptq_is_full() asks whether the queue is longer than the backlog, so one more fits. "
    .. "tcp_conn_request() then drops the SYN without a word, as if it had been lost.",
  tags = { "connect", "backlog", "timeout" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("--backlog", 1, "--no-accept", "-l", 8080)
    local first = kang:dnc(kodos, 8080)
    local second = kang:dnc(kodos, 8080)
    lab:expect(first):in_state "ESTABLISHED"
    lab:expect(second):in_state "ESTABLISHED"

    local third = kang:dnc(kodos, 8080)
    local patience = lab:timer("connect_timeout", kang) * 1.5 + 2 * lab.second
    lab:expect(third):in_state "SYN_SENT"
    lab:expect(third):within(patience):call("connect"):fails "ETIMEDOUT"
    lab:expect(first):still_in_state "ESTABLISHED"
    lab:expect(second):still_in_state "ESTABLISHED"
  end,
}
