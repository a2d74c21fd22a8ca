-- TIME_WAIT has two purposes. It keeps old segments out of the next connection with the same ports.
-- And it lets a peer that missed the last ACK get another one. Here an old segment arrives.
local enter_time_wait = include "time_wait.lib.lua"

return {
  title = "An old duplicate in TIME_WAIT",
  asks = "What happens when an old segment arrives at a connection in TIME_WAIT?",
  source = "RFC 9293 section 3.10.7.4; RFC 1337",
  here = "Linux answers it with an ACK and restarts the TIME_WAIT timer. Any Linux version.",
  why = "RFC 9293 requires an ACK of any segment that is not the expected one, because it may be "
    .. "the peer's retransmitted FIN (tcp_timewait_state_process() in net/ipv4/tcp_minisocks.c). "
    .. "This script drops that ACK on the wire. If it reached a host that has forgotten the "
    .. "connection, that host's RST would end TIME_WAIT: tcplab explain time-wait-assassination.",
  tags = { "segments", "time-wait" },

  run = function(lab)
    local client = enter_time_wait(lab)

    local conn = lab:connection(client)
    lab:cut("kang > kodos", "tcp")
    conn:data("the only data\n", { seq = 1 })
    local answer = lab:expect_packet("kang > kodos", "ACK only", { fate = "lost" })
    lab:expect(client):still_in_state "TIME_WAIT"

    if lab.timers == "stock" then
      local time_wait = lab:timer("time_wait", client)
      local gone = lab:expect(client):within(time_wait * 1.5):in_state "CLOSED"
      lab:expect_time(gone.t - answer.t, time_wait, "the restarted TIME_WAIT")
    end
  end,
}
