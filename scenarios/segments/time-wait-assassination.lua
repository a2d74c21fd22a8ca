-- TIME_WAIT can be cut short by accident: an old duplicate arrives, is answered with an ACK, and
-- the other end, which has forgotten the connection, answers that with a RST. Nobody meant any
-- harm, and the next connection with the same ports may now meet segments of the past.
return {
  title = "TIME-WAIT assassination",
  asks = "Can an old duplicate end TIME_WAIT before its time?",
  source = "RFC 1337 section 1; ip-sysctl, tcp_rfc1337",
  here = "Yes: with tcp_rfc1337 = 0, the default, the RST that follows ends TIME_WAIT at once. "
    .. "Any Linux.",
  why = "RFC 793 has a RST end any state, TIME_WAIT as well (RFC 9293 section 3.10.7.4). "
    .. "tcp_timewait_state_process() in net/ipv4/tcp_minisocks.c does so, unless tcp_rfc1337 is "
    .. "set.",
  tags = { "segments", "time-wait", "reset" },
  quiz = {
    asks = "An old data segment arrives for a connection in TIME_WAIT, which answers; the "
      .. "peer answers that. What becomes of TIME_WAIT?",
    { "It ends at once, by the peer's RST", right = true,
      because = "RFC 1337. With tcp_rfc1337 = 1 it stays." },
    { "It begins anew: 60 s",
      because = "A FIN that is sent again does that. Here the peer knows of nothing, and says "
        .. "RST." },
    { "Nothing: TIME_WAIT takes no segments",
      because = "It does: it answers them, so that a lost last ACK can be had again." },
    { "It goes on; it ends when its 60 s are over",
      because = "So it should, says RFC 1337; but by default Linux lets a RST end it." },
  },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_rfc1337"] = 0 } }
    local server = kodos:dnc("--on-stdin-eof", "close", "-l", 8080)
    local client = kang:dnc("--on-stdin-eof", "close", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()
    server:type "the only data\n"
    lab:expect(client):prints "the only data"
    client:close_stdin()
    lab:expect(client):in_state "FIN_WAIT2"
    lab:expect(server):call("read"):returns(0)
    server:close_stdin()
    lab:expect(client):in_state "TIME_WAIT"
    lab:expect(server):in_state "CLOSED"

    -- The only forged frame; the rest is how two kernels talk.
    lab:connection(client):data("the only data\n", { seq = 1 })
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack")
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):in_state "CLOSED"
  end,
}
