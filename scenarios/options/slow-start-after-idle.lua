-- A connection that has been idle forgets what the path could take. Transfers over one that is kept
-- open, as of HTTP/2, then begin at ten segments again each time.
return {
  title = "tcp_slow_start_after_idle",
  asks = "How much may a connection send at once after it has been idle?",
  source = "RFC 5681 section 4.1; RFC 6928; ip-sysctl, tcp_slow_start_after_idle",
  here = "The initial window, 10 segments, where it could send forty before; with "
    .. "tcp_slow_start_after_idle = 0 as much as before. It is so with reno and cubic; BBR does "
    .. "not heed it. Linux, measured on 6.18.",
  why = "tcp_slow_start_after_idle_check() halves the congestion window for each retransmission "
    .. "timeout that has passed, down to TCP_INIT_CWND (tcp_cwnd_restart()). The acknowledgments "
    .. "that would pace the first flight are long gone.",
  tags = { "options", "throughput" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_congestion_control"] = "reno",
      ["net.ipv4.tcp_early_retrans"] = 0, -- a probe would be an eleventh segment
    } }
    local there = 20 * lab.millisecond
    lab:delay("* > *", "tcp", { by = there })
    local flight = 30 * 1400

    local function sent_after_idling(port)
      local server = kodos:dnc("-l", port)
      local client = kang:dnc("--repl", kodos, port)
      lab:expect(client):in_state "ESTABLISHED"
      lab:expect(server):in_state "ESTABLISHED"
      local conn = lab:connection(client)
      client:type "fill 60000\n"
      repeat lab:wait(2 * there) until conn.snd_una > 60000
      lab:wait(6 * lab:timer("tail_loss_probe", client)) -- timeouts of this connection
      local acks = lab:cut("kodos > kang", "tcp")
      client:type("fill " .. flight .. "\n")
      local octets
      repeat -- until nothing more leaves
        octets = conn.snd_nxt - conn.snd_una
        lab:wait(2 * there)
      until octets > 0 and octets == conn.snd_nxt - conn.snd_una
      acks:lift()
      return octets
    end

    local first = lab.family == 4 and 10 * 1448 or 10 * 1428
    local restarted = sent_after_idling(8080)
    if restarted ~= first then error(restarted .. " octets at once, not " .. first) end
    kang:sysctl("net.ipv4.tcp_slow_start_after_idle", 0)
    local remembered = sent_after_idling(8081)
    if remembered ~= flight then error(remembered .. " octets at once, not " .. flight) end
  end,
}
