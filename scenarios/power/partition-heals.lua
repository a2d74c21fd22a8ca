-- The network is cut in two and whole again before the kernel gives up: the data arrives, late,
-- and neither program is told that anything happened.
return {
  title = "A partition heals in time",
  asks = "What do the programs see of a network that was down for a moment?",
  source = "RFC 9293 section 3.8.1; RFC 6298 section 5",
  here = "Nothing but delay: the data is delivered by the first retransmission after the network "
    .. "is back, which may be as late as the outage was long. Linux, measured on 6.18.",
  why = "Each retransmission waits twice as long as the one before (up to 120 s), and nothing "
    .. "tells the sender that the network is whole again.",
  tags = { "power", "partition" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local partition = lab:cut("* > *")
    client:type "can you hear me?\n"
    lab:expect(client):call("write"):returns(17)
    local data = "tcp[tcpflags] & tcp-push != 0"
    local first = lab:expect_packet("kang > kodos", data, { fate = "lost" })
    lab:expect_packet("kang > kodos", data, { fate = "lost" }) -- the tail loss probe
    local last = lab:expect_packet("kang > kodos", data, { fate = "lost" })
    partition:lift()
    local healed = lab:now()

    local delivered = lab:expect_packet("kang > kodos", data, { fate = "delivered" })
    lab:expect(server):prints "can you hear me?"
    lab:expect_between(delivered.t - last.t, healed - last.t, last.t - first.t,
      "the first retransmission after the outage")
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
