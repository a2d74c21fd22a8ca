-- The network fails and comes back before the kernel gives up. The data arrives late, and neither
-- program notices anything else.
return {
  title = "Partition shorter than the timeout",
  asks = "What do programs notice when the network is down for a moment?",
  source = "RFC 9293 section 3.8.1; RFC 6298 section 5",
  here = "Only a delay. The first retransmission after the network is back delivers the data. The "
    .. "wait after the outage can be as long as the outage itself. Measured on Linux 6.18.",
  why = "Each retransmission waits twice as long as the one before (at most 120 s). Nothing "
    .. "informs the sender that the network is back.",
  tags = { "power", "partition" },

  run = function(lab)
    local client, server = lab:connected()

    local partition = lab:cut("* > *")
    client:type "can you hear me?\n"
    lab:expect(client):call("write"):returns(17)
    local first = lab:expect_packet("kang > kodos", "data", { fate = "lost" })
    lab:expect_packet("kang > kodos", "data", { fate = "lost" }) -- the tail loss probe
    local last = lab:expect_packet("kang > kodos", "data", { fate = "lost" })
    partition:remove()
    local removed = lab:now()

    local delivered = lab:expect_packet("kang > kodos", "data", { fate = "delivered" })
    lab:expect(server):prints "can you hear me?"
    lab:expect_between(delivered.t - last.t, removed - last.t, last.t - first.t,
      "the first retransmission after the outage")
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
