-- Two hours are the default, but each socket can have its own times; what the socket says goes
-- before what the system says.
return {
  title = "TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT",
  asks = "Can a program have keepalive times of its own?",
  source = "tcp(7), TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT",
  here = "Yes: idle 1 s, two probes 1 s apart: ETIMEDOUT after 3 s, with sysctls of two hours. "
    .. "Linux, measured on 6.18.",
  why = "keepalive_time_when(), keepalive_intvl_when() and keepalive_probes() take the sysctl only "
    .. "where the socket has 0. The probes are segments with sequence number snd_una - 1.",
  tags = { "keepalive", "power", "options" },

  run = function(lab)
    local idle, interval, probes = 1, 1, 2
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_keepalive_time"] = "7200",
      ["net.ipv4.tcp_keepalive_intvl"] = "75",
      ["net.ipv4.tcp_keepalive_probes"] = "9",
    } }
    kodos:dnc("-l", 8080)
    local client = kang:dnc("--keepalive", idle .. "/" .. interval .. "/" .. probes, kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    local established = lab:expect(kodos):in_state "ESTABLISHED"

    kodos:power_off()
    for _ = 1, probes do
      lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack", { fate = "lost" })
    end
    local reset = lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0",
      { fate = "lost" })
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    lab:expect_time(reset.t - established.t, idle + interval * probes, "keepalive's giving up")
  end,
}
