-- The TCP header has 16 bits for the window. Without the window scale option (an old setting, or a
-- middlebox that strips it), at most 64 KiB can be in flight.
return {
  title = "tcp_window_scaling = 0",
  asks = "How much data can be in flight if one end does not scale windows?",
  source = "RFC 7323 section 2; ip-sysctl, tcp_window_scaling",
  here = "65535 bytes, however large the buffers and the congestion window are. On a path with a "
    .. "round trip of 100 ms that is 5 Mbit/s, whatever the link speed. If one end does not offer "
    .. "the option, neither end scales. Any Linux version.",
  why = "tcp_select_window() cannot announce more in the header's 16 bits. The option counts only "
    .. "if both SYNs carry it (tcp_parse_options(), RFC 7323 section 2.2).",
  tags = { "windows", "window", "throughput" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_congestion_control"] = "reno", -- no pacing: everything leaves at once
      ["net.ipv4.tcp_slow_start_after_idle"] = 0,
    } }
    for _, host in ipairs { kang, kodos } do host:mtu("eth0", 9000) end -- fewer segments
    local one_way = 20 * lab.millisecond
    lab:delay("* > *", "tcp", { by = one_way })

    local function in_flight(port)
      local client, server = lab:connect(kang, kodos, { client = { "--repl" }, port = port })
      local conn, peer = lab:connection(client), lab:connection(server)
      client:type "fill 100000\n" -- until the congestion window is large
      repeat lab:wait(2 * one_way) until conn.snd_una > 100000 and peer.receive_queue == 0
      client:type "fill 1\n" -- its ACK announces a window that unread data does not make smaller
      repeat lab:wait(2 * one_way) until conn.snd_una > 100001
      local acks = lab:cut("kodos > kang", "tcp")
      client:type "fill 200000\n"
      local octets
      repeat -- until kang sends no more
        octets = conn.snd_nxt - conn.snd_una
        lab:wait(2 * one_way)
      until octets > 0 and octets == conn.snd_nxt - conn.snd_una
      acks:remove()
      return octets
    end

    kang:sysctl("net.ipv4.tcp_window_scaling", 0)
    local unscaled = in_flight(8080)
    lab:say(unscaled .. " bytes are in flight without window scaling")
    lab:check(unscaled <= 65535 and unscaled >= 65535 - 9000, "64 KiB are in flight", unscaled)
    kang:sysctl("net.ipv4.tcp_window_scaling", 1)
    local scaled = in_flight(8081)
    lab:say(scaled .. " bytes are in flight with window scaling")
    lab:check(scaled > 65535, "more than 64 KiB are in flight", scaled)
  end,
}
