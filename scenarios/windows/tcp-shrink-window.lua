-- An advertised window is a promise. With tcp_shrink_window a receiver may break it when its memory
-- is full. Here segments after a hole fill the memory: the window shrinks to zero, and the receiver
-- refuses the data that would fill the hole.
return {
  title = "tcp_shrink_window = 1",
  asks = "What happens if a receiver shrinks a window that it has advertised?",
  source = "RFC 9293 section 3.8.6 (\"strongly discouraged\"); ip-sysctl, tcp_shrink_window",
  here = "A deadlock is possible. With tcp_shrink_window = 1 the window shrinks to zero, and the "
    .. "kernel drops the missing bytes when they arrive. The queued data cannot be delivered "
    .. "without them, so the reader waits and the window stays zero. With 0, the default, the "
    .. "window does not shrink, and the missing bytes are accepted. Measured on Linux 6.18.",
  why = "__tcp_select_window() counts memory, and a segment with one byte of data takes several "
    .. "hundred bytes of it. tcp_select_window() keeps the right edge, unless the sysctl is set "
    .. "and the window is scaled. While the window is zero, tcp_data_queue() drops even the next "
    .. "expected byte (TCPZeroWindowDrop), before tcp_prune_ofo_queue() could make room for it.",
  tags = { "windows", "window", "reordering", "deadlock" },
  needs = { "sysctl net.ipv4.tcp_shrink_window" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_comp_sack_nr"] = 0 } }
    local function receive(port, enough)
      local _, server = lab:connect(kang, kodos, {
        client = { "--repl" }, server = { "--repl", "--rcvbuf", 65536 }, port = port,
      })
      local conn = lab:connection(server)
      local hole = conn.rcv_nxt
      lab:cut("kodos > kang", "tcp src port " .. port) -- kang never sent this data
      server:type "read\n"
      lab:expect(server):call("read"):is_entered()
      local first, last
      local count = 0
      repeat
        count = count + 1
        conn:data("x", { seq = hole + 2 * count })
        last = lab:expect_packet("kodos > kang", "ACK only")
        first = first or last
      until enough(last, count)
      conn:data("xx", { seq = hole })
      local answer = lab:expect_packet("kodos > kang", "ACK only")
      return server, first, last, answer, count
    end

    kodos:sysctl("net.ipv4.tcp_shrink_window", 1)
    local server, first, last, answer, count = receive(8080, function(ack, n)
      return ack.window == 0 or n == 5000
    end)
    lab:check(last.window == 0 and last.ack == first.ack, "the window closes")
    lab:check(answer.ack == first.ack, "the hole is not filled")
    lab:never(server, 2 * lab:timer("rto_min", kodos)):call("read"):returns()
    lab:expect(server):still_in_state "ESTABLISHED"

    kodos:sysctl("net.ipv4.tcp_shrink_window", 0)
    server, first, last, answer = receive(8081, function(_, n) return n == count end)
    lab:check(last.window == first.window, "the window's edge does not move")
    lab:check(answer.ack > first.ack, "the hole is filled")
    lab:expect(server):call("read"):returns()
  end,
}
