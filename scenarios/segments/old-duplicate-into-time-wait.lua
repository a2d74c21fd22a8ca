-- What TIME_WAIT is for: a segment of the past arrives when the connection is over. It must not
-- be taken for one of the next connection with the same ports, and the peer, if it has lost our
-- last ACK, must get it again.
return {
  title = "An old duplicate into TIME_WAIT",
  asks = "What happens when an old segment arrives at a connection in TIME_WAIT?",
  source = "RFC 9293 section 3.10.7.4; RFC 1337",
  here = "It is answered with an ACK, and TIME_WAIT begins anew. Any Linux.",
  why = "tcp_timewait_state_process() in net/ipv4/tcp_minisocks.c: what is not the next segment "
    .. "is acknowledged, as RFC 9293 wants it, in case it is the peer's FIN again. Here that ACK "
    .. "is lost: where it reaches a host that has forgotten the connection, that host's RST ends "
    .. "TIME_WAIT (time-wait-assassination.lua).",
  tags = { "segments", "time-wait" },

  run = function(lab)
    local kang, kodos = lab:pair()
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

    local conn = lab:connection(client)
    lab:cut("kang > kodos", "tcp")
    conn:data("the only data\n", { seq = 1 })
    local answer = lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack", { fate = "lost" })
    lab:expect(client):still_in_state "TIME_WAIT"

    if lab.timers == "stock" then
      local time_wait = lab:timer("time_wait", kang)
      local gone = lab:expect(client):within(time_wait * 1.5):in_state "CLOSED"
      lab:expect_time(gone.t - answer.t, time_wait, "TIME_WAIT, begun anew")
    end
  end,
}
