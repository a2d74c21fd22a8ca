-- The kernel shrinks the congestion window of an idle connection. On a connection that is kept
-- open, as with HTTP/2, each new transfer then starts at ten segments.
return {
  title = "tcp_slow_start_after_idle",
  asks = "How much may a connection send at once after it has been idle?",
  source = "RFC 5681 section 4.1; RFC 6928; ip-sysctl, tcp_slow_start_after_idle",
  here = "The initial window, 10 segments, although the window had grown to forty. With "
    .. "tcp_slow_start_after_idle = 0 the connection may send as much as before. This holds for "
    .. "reno and cubic; BBR ignores the setting. Measured on Linux 6.18.",
  why = "tcp_slow_start_after_idle_check() halves the congestion window for each RTO that has "
    .. "passed, down to TCP_INIT_CWND (tcp_cwnd_restart()). The ACKs that would pace the first "
    .. "burst are long gone.",
  tags = { "options", "throughput" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_congestion_control"] = "reno",
      ["net.ipv4.tcp_early_retrans"] = 0, -- a probe would be an eleventh segment
    } }
    local one_way = 20 * lab.millisecond
    lab:delay("* > *", "tcp", { by = one_way })
    local flight = 30 * 1400

    local function sent_after_idling(port)
      local client = lab:connect(kang, kodos, { client = { "--repl" }, port = port })
      local conn = lab:connection(client)
      client:type "fill 60000\n"
      repeat lab:wait(2 * one_way) until conn.snd_una > 60000
      lab:wait(6 * lab:timer("tail_loss_probe", client)) -- six RTOs
      local acks = lab:cut("kodos > kang", "tcp")
      client:type("fill " .. flight .. "\n")
      local octets
      repeat -- until kang sends no more
        octets = conn.snd_nxt - conn.snd_una
        lab:wait(2 * one_way)
      until octets > 0 and octets == conn.snd_nxt - conn.snd_una
      acks:remove()
      return octets
    end

    local initial = lab.family == 4 and 10 * 1448 or 10 * 1428
    local restarted = sent_after_idling(8080)
    lab:check(restarted == initial, "the initial window is sent at once", restarted)
    kang:sysctl("net.ipv4.tcp_slow_start_after_idle", 0)
    local remembered = sent_after_idling(8081)
    lab:check(remembered == flight, "the earlier window is sent at once", remembered)
  end,
}
