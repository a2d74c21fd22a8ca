-- Each line is wrong in its own way. pcall catches each error, and the script continues.
return {
  title = "Frames that cannot be forged",
  asks = "Is each refused in one clear line?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--nc", "-l", 8080)
    local function refuses(what, words)
      local done, complaint = pcall(what)
      if done then error("this was not refused: " .. words, 2) end
      if not complaint:find(words, 1, true) then error(complaint .. ", not " .. words, 2) end
      if not complaint:find("badly%.lua:%d+: ") then error("no line in: " .. complaint, 2) end
    end
    refuses(function() lab:connection(server) end, "no connection of kodos's dnc has been seen")
    refuses(function() lab:connection(kang) end, "no connection of kang has been seen")
    refuses(function() lab:connection "kang" end, "whose connection")

    local client = kang:dnc("--on-stdin-eof", "close", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    local conn = lab:connection(client)
    refuses(function() conn:segment { flags = "SX" } end, "no flag \"X\"")
    refuses(function() conn:segment {} end, "wants its flags")
    refuses(function() conn:rst { sequence = 1 } end, "no option `sequence`")
    refuses(function() conn:rst { seq = 1.5 } end, "whole number")
    refuses(function() conn:rst { seq = 2 ^ 32 } end, "below 2^32")
    refuses(function() conn:ack { window = 65536 } end, "from 0 to 65535")
    refuses(function() conn:ack { age = -1 } end, "`age`")
    refuses(function() conn:data(7) end, "the data")
    refuses(function() return conn.rcv_next end,
            "has no verb or field `rcv_next`; did you mean rcv_nxt")
    refuses(function() return conn[conn] end, "has no verb or field")

    refuses(function() lab:forge() end, "table of options")
    refuses(function() lab:forge { flags = "S" } end, "`to` is the host")
    refuses(function() lab:forge { to = kang } end, "`flags` is missing")
    refuses(function() lab:forge { to = kang, flags = "S" } end, "`from` is a host")
    refuses(function() lab:forge { to = kang, flags = "S", from = "10.0.0" } end, "is not an IPv")
    refuses(function()
      lab:forge { to = kang, flags = "S", from = kodos, source_port = 70000, port = 1 }
    end, "`source_port` is a port")

    refuses(function() lab:icmp() end, "table of options")
    refuses(function() lab:icmp { error = "on-fire", about = conn } end, "no error \"on-fire\"")
    refuses(function() lab:icmp { error = "host-unreachable" } end, "`about` is a connection")
    refuses(function() lab:icmp { error = "host-unreachable", about = { frame = 1e6 } } end,
      "`about` is a connection")
    refuses(function() lab:icmp { error = "host-unreachable", about = conn, mtu = 1400 } end,
      "only \"fragmentation-needed\"")
    local lowest = lab.family == 4 and 68 or 1280
    refuses(function()
      lab:icmp { error = "fragmentation-needed", about = conn, mtu = lowest - 1 }
    end, "from " .. lowest .. " to 65535")
    refuses(function() lab:icmp { error = "fragmentation-needed", about = conn } end, "`mtu`")

    kang:unplug()
    refuses(function() conn:rst() end, "kang is unplugged: nothing can reach its eth0")
    kang:plug()
    conn:rst()
    lab:expect(client):in_state "CLOSED"
    refuses(function() conn:rst() end, "is gone")
    kang:power_off()
    refuses(function() lab:icmp { error = "host-unreachable", about = conn } end, "has no power")
  end,
}
