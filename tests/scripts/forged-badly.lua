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
    refuses(function() lab:connection "kang" end, "whose connection")

    local client = kang:dnc("--on-stdin-eof", "close", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    local conn = lab:connection(client)
    refuses(function() conn:segment { flags = "SX" } end, "no flag \"X\"")
    refuses(function() conn:segment {} end, "wants its flags")
    refuses(function() conn:rst { sequence = 1 } end, "no option `sequence`")
    refuses(function() conn:rst { seq = 1.5 } end, "whole number")
    refuses(function() conn:rst { seq = 2 ^ 32 } end, "to 4294967295")
    refuses(function() conn:ack { window = 65536 } end, "from 0 to 65535")
    refuses(function() conn:ack { age = -1 } end, "`age`")
    refuses(function() conn:data(7) end, "the data")
    refuses(function() conn:ack { absolute = 1 } end, "`absolute` is true or false")
    refuses(function() conn:ack { faults = "no" } end, "`faults` is true or false")

    local function refuses_options(options, words)
      refuses(function() conn:ack { options = options } end, words)
      refuses(function()
        lab:forge {
          to = kang, from = kodos, source_port = 1, port = 2, flags = "S", options = options,
        }
      end, words)
    end
    refuses_options("mss", "`options` is a table")
    refuses_options({ maximum = 1 }, "no option `maximum`")
    refuses_options({ mss = 65536 }, "`mss` is a whole number from 0 to 65535")
    refuses_options({ mss = "1460" }, "`mss` must be a number")
    refuses_options({ window_scale = -1 }, "`window_scale` is a whole number from 0 to 255")
    refuses_options({ sack_permitted = 1 }, "`sack_permitted` is true or false")
    refuses_options({ sack = 7 }, "`sack` is a list of blocks")
    refuses_options({ sack = {} }, "`sack` is a list of blocks")
    refuses_options({ sack = { 1, 101 } }, "`sack` is a list of blocks")
    refuses_options({ sack = { { 1 } } }, "`sack` is a list of blocks")
    refuses_options({ sack = { { 1, "x" } } }, "`sack` is a list of blocks")
    refuses_options({ timestamps = { value = 1 } }, "`timestamps` is { value = n, echo = n }")
    refuses_options({ fast_open = 7 }, "`fast_open` must be a text")
    refuses_options({ raw = ("x"):rep(41), timestamps = false },
      "need 41 bytes; a TCP header has room for 40")

    local headers = (lab.family == 4 and 20 or 40) + 20 + 12 -- with timestamps
    refuses(function() conn:data(("x"):rep(70000)) end,
      "the data has 70000 bytes; one segment to kang's eth0 has room for at most "
        .. 1500 - headers)
    refuses(function() conn:segment { flags = "A", data = ("x"):rep(1500 - headers + 1) } end,
      "has room for at most " .. 1500 - headers)
    refuses(function()
      lab:forge { to = kang, from = kodos, source_port = 1, port = 2, flags = "",
        data = ("x"):rep(70000) }
    end, "has room for at most " .. 1500 - headers + 12)
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
    end, "`source_port` is a whole number from 1")

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
    refuses(function() return conn:rst { seq = "gone" } end, "`seq` must be a number")
    kang:power_off()
    refuses(function() lab:icmp { error = "host-unreachable", about = conn } end, "has no power")
  end,
}
