-- A forged window of 0 makes a sender wait. The attacker needs only one segment. This scenario
-- shows how long the sender waits.
return {
  title = "A forged zero window",
  asks = "What happens to a sender that receives a forged zero window?",
  source = "RFC 9293 section 3.8.6.1",
  here = "It stops sending data and sends a probe after one RTO. The real peer answers the probe "
    .. "with its real window, and the data flows again. Any Linux version.",
  why = "A sender probes a zero window forever, because the segment that opens the window may be "
    .. "lost (tcp_probe_timer() in net/ipv4/tcp_timer.c). So a forged window lasts only until the "
    .. "first probe is answered.",
  tags = { "segments", "window" },

  run = function(lab)
    local client, server = lab:connected()
    lab:expect(client):call("poll"):is_entered()

    local timeout = lab:timer("tail_loss_probe", client)
    lab:connection(client):ack { window = 0 }
    client:type "may I?\n"
    local write = lab:expect(client):call("write"):returns(7)
    local probe = lab:expect_packet("kang > kodos", "tcp")
    lab:check(not probe.length, "the probe carries no data")
    lab:expect_time(probe.t - write.entered, timeout, "the first probe")
    lab:expect_packet("kodos > kang", "ACK only")
    lab:expect(server):prints "may I?"
  end,
}
