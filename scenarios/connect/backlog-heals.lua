-- Why a full queue ignores a SYN instead of refusing it: the server is busy, not absent. When it
-- accepts again before the client's patience is over, the client has only lost a second.
return {
  title = "Backlog full, and then not",
  asks = "Does a client get through when the server's queue was full at first?",
  source = "listen(2); RFC 6298 section 2.1; ip-sysctl, tcp_syn_linear_timeouts",
  here = "Yes, with the SYN that is sent again one second later: connect returns 0. Any Linux.",
  why = "The ignored SYN is a lost SYN to the client: it is sent again after the first "
    .. "retransmission timeout, TCP_TIMEOUT_INIT. accept has made room in the queue meanwhile.",
  tags = { "connect", "backlog", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--backlog", 0, "--no-accept", "-l", 8080)
    local first = kang:dnc(kodos, 8080)
    lab:expect(first):in_state "ESTABLISHED"

    local syn = "tcp[tcpflags] == tcp-syn"
    local late = kang:dnc(kodos, 8080)
    lab:expect_packet("kang > kodos", syn)
    local ignored = lab:expect_packet("kang > kodos", syn)
    lab:expect(late):in_state "SYN_SENT"
    server:type "accept\n"
    lab:expect(server):call("accept"):returns()
    local heard = lab:expect_packet("kang > kodos", syn)
    lab:expect_time(heard.t - ignored.t, lab:timer("initial_timeout", kang), "the next SYN")
    lab:expect(late):call("connect"):returns(0)
    lab:expect(late):in_state "ESTABLISHED"
  end,
}
