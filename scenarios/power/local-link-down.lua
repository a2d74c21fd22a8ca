-- The host's own network card is taken down. TCP cannot see a pulled cable, but here the kernel
-- itself knows that it cannot send.
local expect_give_up = include "local_failure.lib.lua"

return {
  title = "Local network card down",
  asks = "What happens to a connection when the host's own network card is taken down?",
  source = "RFC 9293 section 3.8.3; tcp(7), tcp_retries2; tcp_probe_timer()",
  here = "An idle connection stays ESTABLISHED. A write succeeds, but nothing leaves the host. "
    .. "The kernel gives up after the time that tcp_retries2 allows: 925 s by default, earlier "
    .. "than when frames are lost on the wire. The error is ETIMEDOUT on IPv4 and ENETUNREACH on "
    .. "IPv6. Measured on Linux 6.18.",
  why = "A connection does not check network cards. Only the route lookup for its next segment "
    .. "does, and it fails. A segment that could not be sent is not in flight, so the "
    .. "retransmission timer does not run. tcp_probe_timer() runs instead and gives up after "
    .. "tcp_retries2 probes. On IPv6, inet6_csk_xmit() stores the failed lookup as a soft error, "
    .. "which tcp_write_err() reports. IPv4's ip_queue_xmit() stores none.",
  tags = { "power", "link" },

  run = function(lab)
    expect_give_up(lab, function(kang) kang:link("eth0", "down") end)
  end,
}
