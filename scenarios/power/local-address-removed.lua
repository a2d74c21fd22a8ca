-- A laptop changes networks. Its connections are still bound to the address that was removed, and
-- the kernel does not notify them.
local expect_give_up = include "local_failure.lib.lua"

return {
  title = "Local address removed",
  asks = "What happens to a connection when its local address is removed from the host?",
  source = "RFC 9293 section 3.8.3; tcp(7), tcp_retries2; tcp_probe_timer()",
  here = "An idle connection stays ESTABLISHED. A write succeeds, but nothing leaves the host. "
    .. "The kernel gives up after the time that tcp_retries2 allows: 925 s by default, earlier "
    .. "than when frames are lost on the wire. The error is ETIMEDOUT on IPv4 and ENETUNREACH on "
    .. "IPv6. Measured on Linux 6.18.",
  why = "A connection does not check the host's addresses. Only the route lookup for its next "
    .. "segment does, and it fails because the source address is gone. A segment that could not "
    .. "be sent is not in flight, so the retransmission timer does not run. tcp_probe_timer() "
    .. "runs instead and gives up after tcp_retries2 probes. On IPv6, inet6_csk_xmit() stores the "
    .. "failed lookup as a soft error, which tcp_write_err() reports. IPv4's ip_queue_xmit() "
    .. "stores none.",
  tags = { "power", "address" },

  run = function(lab)
    expect_give_up(lab, function(kang) kang:remove_address(kang:address()) end)
  end,
}
