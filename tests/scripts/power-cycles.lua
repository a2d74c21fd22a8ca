-- A host loses power 200 times, in different situations: idle, with data that its program has not
-- read, with data that its kernel has not sent. No frame of it may be sent afterwards.
local kCycles = 200

local function connect(lab, kang, kodos)
  local server = kodos:dnc("--never-read", "-l", 8080)
  local client = kang:dnc(kodos, 8080)
  lab:expect(client):in_state "ESTABLISHED"
  lab:expect(server):call("accept"):returns()
  return client, server
end

--- The server's kernel has acknowledged data that its program has not read: closing sends RST.
local function leave_unread(lab, client)
  client:type "nobody reads this\n"
  lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-push != 0")
end

--- The client's window is zero and the server's kernel holds data: closing sends data, then FIN.
local function leave_unsent(lab, client, server)
  client:freeze()
  server:type(string.rep("nobody gets all of this\n", 40000))
  lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-push != 0")
end

return {
  title = "Two hundred power cycles",
  asks = "Does any frame of a host without power reach the wire?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    for cycle = 1, kCycles do
      local client, server = connect(lab, kang, kodos)
      if cycle % 4 >= 2 then leave_unread(lab, client) end
      if cycle % 2 == 1 then leave_unsent(lab, client, server) end
      if cycle % 2 == 0 then client:freeze() end  -- it must not see a RST before it is killed
      kodos:power_cycle()
      client:kill()
      lab:expect(client):killed_by "SIGKILL"
    end
    lab:expect(kodos):has_no_connection()
  end,
}
