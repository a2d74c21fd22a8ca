-- With tcp_rfc1337 = 1, which is not the default, a RST does not end TIME_WAIT. This is
-- time-wait-assassination.lua with that one setting changed.
local enter_time_wait = include "time_wait.lib.lua"

return {
  title = "TIME-WAIT assassination, prevented",
  asks = "What does tcp_rfc1337 = 1 do?",
  source = "RFC 1337 section 3, fix F1; ip-sysctl, tcp_rfc1337",
  here = "Linux drops the RST that answers the ACK of an old duplicate, and TIME_WAIT lasts its "
    .. "full time. Any Linux version.",
  why = "tcp_timewait_state_process() in net/ipv4/tcp_minisocks.c ignores the RST. Since Linux "
    .. "4.19 the RST does not restart the TIME_WAIT timer either.",
  tags = { "segments", "time-wait", "reset" },

  run = function(lab)
    local client = enter_time_wait(lab, { ["net.ipv4.tcp_rfc1337"] = 1 })

    lab:connection(client):data("the only data\n", { seq = 1 })
    lab:expect_packet("kang > kodos", "ACK only")
    lab:expect_packet("kodos > kang", "RST")
    lab:never(client, 0.1):in_state "CLOSED"
    lab:expect(client):still_in_state "TIME_WAIT"
  end,
}
