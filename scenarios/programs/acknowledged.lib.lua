-- Waits until the receiver has acknowledged all data of the sender, and returns that packet. From
-- now on the connection is idle. Otherwise a delayed acknowledgment would be the first segment that
-- a restarted sender gets. If a router is between the two hosts, give the router as the receiver:
-- its frames are the ones that reach the sender.
return function(lab, sender, receiver, packet)
  return lab:expect_packet(receiver:name() .. " > " .. sender:name(), packet or "tcp",
    { ack = lab:connection(sender).snd_nxt, fate = "delivered" })
end
