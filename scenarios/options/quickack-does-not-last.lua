-- In nagle-and-delayed-ack.lua, the receiver delays its ACK by 40 ms. TCP_QUICKACK makes a receiver
-- acknowledge at once, but not permanently: the program's next answer ends the effect.
return {
  title = "TCP_QUICKACK does not last",
  asks = "How long does TCP_QUICKACK prevent delayed ACKs?",
  source = "tcp(7), TCP_QUICKACK (\"this flag is not permanent\"); RFC 9293 section 3.8.6.3",
  here = "Until the program's next answer. Before that answer each segment is acknowledged at "
    .. "once; after it the first ACK waits 40 ms again. With a high tcp_pingpong_thresh, it takes "
    .. "that many answers. Measured on Linux 6.18.",
  why = "The option ends interactive (\"ping-pong\") mode, in which an ACK waits for an answer "
    .. "that can carry it. Sending data soon after receiving data enters the mode again "
    .. "(tcp_event_data_sent()), after tcp_pingpong_thresh such answers, 1 by default. An ACK "
    .. "that the timer had to send leaves the mode (tcp_delack_timer_handler()).",
  tags = { "options", "latency", "socket-options" },
  needs = { "sysctl net.ipv4.tcp_pingpong_thresh" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server, client
    local function connect(port)
      server = kodos:dnc("--repl", "-l", port)
      client = kang:dnc("--repl", kodos, port)
      lab:expect(client):in_state "ESTABLISHED"
      lab:expect(server):in_state "ESTABLISHED"
    end
    local function converse() -- returns how long after the request the answer was sent
      server:type "read\nwrite answer\n"
      client:type "write request\nread\n"
      lab:expect(server):call("read"):returns(7)
      lab:expect(client):call("read"):returns(6)
      local request = lab:expect_packet("kang > kodos", "data")
      local answer = lab:expect_packet("kodos > kang", "data")
      lab:expect_packet("kang > kodos", "ACK only")
      return answer.t - request.t
    end
    local function acknowledgment()
      client:type "write data\n"
      local segment = lab:expect_packet("kang > kodos", "data")
      local ack = lab:expect_packet("kodos > kang", "ACK only")
      server:type "read\n"
      lab:expect(server):call("read"):returns(4)
      return ack.t - segment.t
    end
    local delayed = lab:timer("delayed_ack", kodos)

    local function expect_at_once(times) -- a busy machine may delay some ACKs, not all
      local soonest = delayed
      for _ = 1, times do soonest = math.min(soonest, acknowledgment()) end
      lab:check(soonest <= delayed / 2, "the acknowledgment comes at once", soonest)
    end

    connect(8080)
    for _ = 1, 3 do converse() end
    server:type "setsockopt TCP_QUICKACK on\n"
    lab:expect(server):call("setsockopt", "TCP_QUICKACK"):returns(0)
    expect_at_once(4)
    -- Only an answer within 40 ms (icsk_ack.ato) enters the mode: a busy machine may need several.
    repeat until converse() < delayed / 2
    lab:expect_time(acknowledgment(), delayed, "the ACK after an answer")

    kodos:sysctl("net.ipv4.tcp_pingpong_thresh", 255)
    connect(8081)
    for _ = 1, 3 do converse() end
    expect_at_once(4)
  end,
}
