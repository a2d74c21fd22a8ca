-- Forged segments with every TCP option, in relative and in absolute numbers, and for a connection
-- that is gone. The Python test reads them from the capture.
return {
  title = "Options of forged segments",
  asks = "Does a forged segment have what the script says?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-k", "-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    local conn = lab:connection(client)

    -- The window of the peer's SYN/ACK, scaled as in its next segment.
    local syn_ack = lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-syn != 0")
    conn:ack()
    local ack = lab:expect_packet("kodos > kang", "tcp", { fate = "forged" })
    lab:say("window " .. syn_ack.window .. " then " .. ack.window)
    if ack.window >= syn_ack.window or ack.window == 0 then error("window " .. ack.window) end

    server:type "hello\n"
    lab:expect(client):prints "hello"
    local data = lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-push != 0")
    conn:ack()
    ack = lab:expect_packet("kodos > kang", "tcp", { fate = "forged" })
    if ack.window ~= data.window then error("window " .. ack.window .. ", not " .. data.window) end

    -- Relative and absolute numbers of the same segment.
    conn:ack { seq = conn.rcv_nxt, ack = conn.snd_nxt, options = { sack = { { 1, 2 } } } }
    local relative = lab:expect_packet("kodos > kang", "tcp", { fate = "forged" })
    conn:ack {
      absolute = true, seq = conn.irs + conn.rcv_nxt, ack = conn.iss + conn.snd_nxt,
      options = { sack = { { conn.iss + 1, conn.iss + 2 } } },
    }
    local absolute = lab:expect_packet("kodos > kang", "tcp", { fate = "forged" })
    for _, field in ipairs { "seq", "ack", "summary" } do
      if relative[field] ~= absolute[field] then error(field .. " differs") end
    end

    conn:segment {
      flags = "S", seq = conn.rcv_nxt,
      options = {
        mss = 1234, window_scale = 5, sack_permitted = true,
        timestamps = { value = 7, echo = 8 }, fast_open = "\1\0\2\3",
      },
    }
    lab:forge {
      to = kang, from = kodos, source_port = 7, port = 9, flags = "S",
      options = { fast_open = "", raw = "\254\4\18\52" },
    }
    lab:expect(client):still_in_state "ESTABLISHED"

    conn:rst()
    lab:expect(client):in_state "CLOSED"
    conn:data("too late", { options = { timestamps = false } })
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    kang:power_cycle()
    conn:ack()
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
  end,
}
