-- Waits until a client has acknowledged all data of its server: from now on the connection is idle.
-- Otherwise a delayed acknowledgment would be the first segment that a restarted server gets.
return function(lab, client_host, server_host)
  local direction = client_host:name() .. " > " .. server_host:name()
  return lab:expect_packet(direction, "tcp",
    { ack = lab:connection(server_host).snd_nxt, fate = "delivered" })
end
