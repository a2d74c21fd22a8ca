-- The cable of the server is out while a client sends. It is back after the second retransmission.
-- Calls `send`, which sends a request and returns its packet. Expects that the request arrives with
-- the next retransmission: each of them waits twice as long as the one before.
return function(lab, server_host, send)
  server_host:unplug()
  local first = send()
  local towards = "* > " .. server_host:name()
  lab:expect_packet(towards, "retransmission", { fate = "lost" })
  local last = lab:expect_packet(towards, "retransmission", { fate = "lost" })
  server_host:plug()
  local plugged = lab:now()
  local arrives = lab:expect_packet(towards, "data", { fate = "delivered" })
  lab:expect_between(arrives.t - last.t, plugged - last.t, last.t - first.t,
    "the first retransmission with a cable")
end
