-- A full accept queue makes the kernel ignore a SYN, not refuse it: the server is busy, not absent.
-- If the server accepts a connection in time, the client's next SYN succeeds and connect is only
-- one second late.
return {
  title = "Accept queue full for a short time",
  asks = "Does a client connect if the accept queue is full at first?",
  source = "listen(2); RFC 6298 section 2.1; ip-sysctl, tcp_syn_linear_timeouts",
  here = "Yes. The client retransmits the SYN one second later, and connect returns 0. Any Linux "
    .. "version.",
  why = "To the client the ignored SYN looks lost. It retransmits the SYN after the initial RTO, "
    .. "TCP_TIMEOUT_INIT. By then accept has made room in the queue.",
  tags = { "connect", "backlog", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--backlog", 0, "--no-accept", "-l", 8080)
    local first = kang:dnc(kodos, 8080)
    lab:expect(first):in_state "ESTABLISHED"

    local late = kang:dnc(kodos, 8080)
    lab:expect_packet("kang > kodos", "SYN")
    local ignored = lab:expect_packet("kang > kodos", "SYN")
    lab:expect(late):in_state "SYN_SENT"
    server:type "accept\n"
    lab:expect(server):call("accept"):returns()
    local retransmission = lab:expect_packet("kang > kodos", "SYN")
    lab:expect_time(retransmission.t - ignored.t, lab:timer("initial_rto", kang),
      "the SYN retransmission")
    lab:expect(late):call("connect"):returns(0)
    lab:expect(late):in_state "ESTABLISHED"
  end,
}
