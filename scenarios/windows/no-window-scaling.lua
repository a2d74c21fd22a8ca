-- The header has 16 bits for the window. Without the option that shifts them, as after a setting
-- from the last century or a middlebox that strips it, no more than 64 KiB are ever on their way.
return {
  title = "tcp_window_scaling = 0",
  asks = "How much can be on its way at once when one end does not scale windows?",
  source = "RFC 7323 section 2; ip-sysctl, tcp_window_scaling",
  here = "65535 octets, however large the buffers and the congestion window are: on a path of "
    .. "100 ms that is 5 Mbit/s, whatever the link can do. It takes one end that does not offer "
    .. "the option to have it off at both. Any Linux.",
  why = "tcp_select_window() cannot say more in the header's 16 bits, and an option that only one "
    .. "SYN has counts for nothing (tcp_parse_options(), RFC 7323 section 2.2).",
  tags = { "windows", "window", "throughput" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_congestion_control"] = "reno", -- unpaced: all that is allowed leaves at once
      ["net.ipv4.tcp_slow_start_after_idle"] = 0,
    } }
    for _, host in ipairs { kang, kodos } do host:mtu("eth0", 9000) end -- few segments are enough
    local there = 20 * lab.millisecond
    lab:delay("* > *", "tcp", { by = there })

    local function in_flight(port)
      local server = kodos:dnc("-l", port)
      local client = kang:dnc("--repl", kodos, port)
      lab:expect(client):in_state "ESTABLISHED"
      lab:expect(server):in_state "ESTABLISHED"
      local conn = lab:connection(client)
      client:type "fill 100000\n" -- until the congestion window is no limit
      repeat lab:wait(2 * there) until conn.snd_una > 100000
      local acks = lab:cut("kodos > kang", "tcp")
      client:type "fill 200000\n"
      local octets
      repeat -- until nothing more leaves
        octets = conn.snd_nxt - conn.snd_una
        lab:wait(2 * there)
      until octets > 0 and octets == conn.snd_nxt - conn.snd_una
      acks:lift()
      return octets
    end

    kang:sysctl("net.ipv4.tcp_window_scaling", 0)
    local unscaled = in_flight(8080)
    lab:say(unscaled .. " octets are in flight without window scaling")
    if unscaled > 65535 or unscaled < 65535 - 9000 then error("in flight: " .. unscaled) end
    kang:sysctl("net.ipv4.tcp_window_scaling", 1)
    local scaled = in_flight(8081)
    lab:say(scaled .. " with it")
    if scaled <= 65535 then error("in flight: " .. scaled) end
  end,
}
