-- Acts at packets before and after their delivery, at calls, and at states.
return {
  title = "Handlers",
  asks = "Does a function run exactly when its condition is met?",
  tags = { "test" },
  cases = { { name = "packets" }, { name = "forged" }, { name = "calls" }, { name = "power" } },

  run = function(lab, case)
    local client, server, kang, kodos = lab:connected()

    if case.name == "packets" then
      -- A fault that is made before the frame arrives acts on that very frame.
      lab:when(lab:packet("kang > kodos", "data", { length = 4 }), function(packet)
        lab:check(packet.seq ~= nil and packet.from == "kang", "the function gets the packet")
        lab:check(packet.fate == nil, "its fate is open", packet.fate)
        lab:lose("kang > kodos", "data", { count = 1 })
      end)
      client:type "one\n"
      lab:expect_packet("kang > kodos", "data", { fate = "lost" })
      lab:expect(server):prints "one"
      -- One that is made after its delivery acts on the next.
      local again = lab:packet("kang > kodos", "data", { fate = "delivered", length = 6 })
      lab:when(again, function(packet)
        lab:check(packet.delivered ~= nil, "the frame has arrived")
        lab:lose("kodos > kang", "ACK only", { count = 1 })
      end)
      client:type "three\n"
      lab:expect_packet("kodos > kang", "ACK only", { fate = "lost" })
      lab:expect(server):prints "three"
      lab:expect_packet("kang > kodos", "retransmission", { fate = "delivered" })
      -- Each of the next three, and nothing after them.
      local texts = {}
      lab:when(lab:packet("kang > kodos", "data"), function(packet)
        texts[#texts + 1] = packet.length
      end, { times = 3 })
      for number = 1, 5 do
        client:type(("x"):rep(number) .. "\n")
        lab:expect(server):prints(("x"):rep(number) .. "\n")
      end
      lab:check(table.concat(texts, " ") == "2 3 4", "three times", table.concat(texts, " "))
      lab:when(lab:packet("kang > kodos", "RST"), function() end, { optional = true })
    end

    if case.name == "forged" then
      local conn, answers = lab:connection(client), {}
      lab:when(lab:packet("kodos > kang", "RST"), function(packet)
        answers[#answers + 1] = packet.from
        lab:when(lab:packet("kang > kodos", "data"), function() answers[#answers + 1] = "data" end)
        conn:ack { ack = conn.snd_nxt + 1000 }
      end)
      conn:rst { seq = conn.rcv_nxt + 5 }
      lab:check(answers[1] == "kodos", "a forged frame meets a condition, too", answers[1])
      client:type "still there\n"
      lab:expect(server):prints "still there"
      lab:check(answers[2] == "data", "a function makes a handler", answers[2])
    end

    if case.name == "calls" then
      local order = {}
      lab:when(server:call("read"):returns(6), function(event)
        order[#order + 1] = event.call
        server:freeze()
      end)
      lab:when(server:in_state "CLOSE_WAIT", function(event)
        order[#order + 1] = event.to
        server:thaw()
      end)
      lab:when(client:in_state "ESTABLISHED", function(event)
        order[#order + 1] = "already"
      end)
      client:type "hello\n"
      lab:expect(server):call("read"):returns(6)
      client:stop()
      lab:expect(client):killed_by "SIGTERM"
      lab:expect(server):call("read"):returns(0)
      local seen = table.concat(order, " ")
      lab:check(seen == "already read CLOSE_WAIT", "in order", seen)
    end

    if case.name == "power" then
      -- The sender loses its power with its frame on the wire: the frame is lost.
      lab:when(lab:packet("kodos > kang", "ACK only"), function() kodos:power_off() end)
      client:type "hello\n"
      local lost = lab:expect_packet("kodos > kang", "ACK only", { fate = "lost" })
      lab:check(lost.effects[1].kind == "sender_gone", "its sender is gone", lost.effects[1].kind)
      -- After its delivery: the client has the acknowledgment, and nothing else ever comes.
      kodos:power_on()
      local second_server = kodos:dnc("-l", 8081)
      local second = kang:dnc(kodos, 8081)
      lab:expect(second):in_state "ESTABLISHED"
      lab:expect(second_server):in_state "ESTABLISHED"
      local acknowledged = lab:packet("kodos > kang", "ACK only", { fate = "delivered" })
      lab:when(acknowledged, function() kodos:power_off() end)
      second:type "hello\n"
      lab:expect_packet("kodos > kang", "ACK only", { fate = "delivered" })
      lab:expect(second):still_in_state "ESTABLISHED"
      lab:check(lab:connection(second).send_queue == 0, "all is acknowledged")
      lab:never_packet(0.3, "kodos > kang", "")
    end
  end,
}
