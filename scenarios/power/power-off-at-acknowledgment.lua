return {
  title = "Power off just before and just after the acknowledgment",
  asks = "A server loses its power when it acknowledges a request. Does the client notice?",
  source = "RFC 9293 section 3.8.3 (R2), section 3.8.4 (keep-alives)",
  here = "That depends on one frame. If the acknowledgment is lost, the client retransmits and "
    .. "gives up with ETIMEDOUT. If it arrives, the client waits for the answer forever. Measured "
    .. "on Linux 6.18.",
  why = "TCP times only what is unacknowledged. After the acknowledgment nothing is in flight, so "
    .. "no timer runs, and the peer's silence means nothing. Only keepalive, or a timer of the "
    .. "program, ends the wait.",
  tags = { "power", "timeouts" },
  cases = {
    { name = "before", title = "Power off just before the acknowledgment" },
    { name = "after", title = "Power off just after the acknowledgment", is_delivered = true },
  },

  run = function(lab, case)
    local client, _, _, kodos = lab:connected()
    local fate = case.is_delivered and { fate = "delivered" } or {}
    lab:when(lab:packet("kodos > kang", "ACK only", fate), function() kodos:power_off() end)
    local gives_up_after = lab:timer("r2", client)
    client:type "request\n"
    local write = lab:expect(client):call("write"):returns(8)

    if case.is_delivered then
      lab:expect_packet("kodos > kang", "ACK only", { fate = "delivered" })
      lab:idle(lab.hour)
      lab:expect(client):still_in_state "ESTABLISHED"
      lab:expect(client):still_runs()
    else
      lab:expect_packet("kodos > kang", "ACK only", { fate = "lost" })
      lab:expect_packet("kang > kodos", "retransmission", { fate = "lost" })
      local read = lab:expect(client):within(2 * gives_up_after):call("read"):fails "ETIMEDOUT"
      lab:expect_time(read.t - write.entered, gives_up_after, "giving up")
    end
  end,
}
