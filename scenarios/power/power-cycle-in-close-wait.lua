-- The peer had closed its side, and its host is power cycled before we answered: what we still
-- send meets a new kernel.
return {
  title = "Power cycle of a peer that had half-closed",
  asks = "What does a program in CLOSE_WAIT see when the peer's host was power cycled?",
  source = "RFC 9293 section 3.10.7.1 (CLOSED); tcp_reset()",
  here = "write succeeds, RST; SO_ERROR is EPIPE, not ECONNRESET; the next write EPIPE. From a "
    .. "read it cannot be told from a good end. Linux, measured on 6.18.",
  why = "tcp_reset() has EPIPE for CLOSE_WAIT, as if to say: the stream towards us was complete, "
    .. "only what we write cannot go on.",
  tags = { "power", "half-close", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "-l", 8080)
    local client = kang:dnc("--repl", "--ignore-sigpipe", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:type "shutdown wr\n"
    lab:expect(client):in_state "CLOSE_WAIT"
    -- The FIN's acknowledgment is delayed (up to 40 ms): were it to meet the new kernel, it and not
    -- the write would bring the RST.
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-fin != 0")
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    kodos:power_cycle()
    client:type "write answer\n"
    lab:expect(client):call("write"):returns(6)
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):in_state "CLOSED"
    client:type "read\ngetsockopt SO_ERROR\nwrite more\n"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "EPIPE"
    lab:expect(client):call("write"):fails "EPIPE"
  end,
}
