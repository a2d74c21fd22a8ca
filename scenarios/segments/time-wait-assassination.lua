-- TIME_WAIT can be cut short by accident. An old duplicate arrives and is answered with an ACK. The
-- other end has forgotten the connection and answers that ACK with a RST. The next connection with
-- the same ports may then receive old segments.
local enter_time_wait = include "time_wait.lib.lua"

return {
  title = "TIME-WAIT assassination",
  asks = "Can an old duplicate end TIME_WAIT early?",
  source = "RFC 1337 section 1; ip-sysctl, tcp_rfc1337",
  here = "Yes. With tcp_rfc1337 = 0, the default, the RST that follows ends TIME_WAIT at once. "
    .. "Any Linux version.",
  why = "In RFC 793 a RST ends any state, including TIME_WAIT (RFC 9293 section 3.10.7.4). "
    .. "tcp_timewait_state_process() in net/ipv4/tcp_minisocks.c does so, unless tcp_rfc1337 is "
    .. "set.",
  tags = { "segments", "time-wait", "reset" },
  quiz = {
    asks = "An old data segment arrives for a connection in TIME_WAIT and is answered with an "
      .. "ACK. The peer answers that ACK. What happens to TIME_WAIT?",
    { "The peer's RST ends it at once", right = true,
      because = "RFC 1337. With tcp_rfc1337 = 1 TIME_WAIT survives." },
    { "It restarts: another 60 s",
      because = "A retransmitted FIN does that. Here the peer has forgotten the connection and "
        .. "sends a RST." },
    { "Nothing: TIME_WAIT accepts no segments",
      because = "It does answer them, so that a peer that missed the last ACK gets another one." },
    { "It continues until its 60 s are over",
      because = "RFC 1337 says it should, but by default Linux lets a RST end it." },
  },

  run = function(lab)
    local client = enter_time_wait(lab, { ["net.ipv4.tcp_rfc1337"] = 0 })

    -- The only forged frame: the two kernels send the rest.
    lab:connection(client):data("the only data\n", { seq = 1 })
    lab:expect_packet("kang > kodos", "ACK only")
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):in_state "CLOSED"
  end,
}
