-- The system-wide keepalive time is two hours by default. A program can set shorter times for one
-- socket, and the socket's values override the sysctls.
return {
  title = "TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT",
  asks = "Can a program set keepalive times for one socket?",
  source = "tcp(7), TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT",
  here = "Yes. With idle 1 s and two probes 1 s apart, ETIMEDOUT comes after 3 s, although the "
    .. "sysctls say two hours. Measured on Linux 6.18.",
  why = "keepalive_time_when(), keepalive_intvl_when() and keepalive_probes() use the sysctl only "
    .. "if the socket's value is 0. A probe is a segment with sequence number snd_una - 1.",
  tags = { "keepalive", "power", "options" },

  run = function(lab)
    local idle, interval, probes = 1, 1, 2
    local kang, kodos = lab:pair {
      sysctls = {
        ["net.ipv4.tcp_keepalive_time"] = "7200",
        ["net.ipv4.tcp_keepalive_intvl"] = "75",
        ["net.ipv4.tcp_keepalive_probes"] = "9",
      },
    }
    local client = lab:connect(kang, kodos, {
      client = { "--keepalive", idle .. "/" .. interval .. "/" .. probes },
    })
    local last_heard = lab:expect_packet("kodos > kang", "SYN ACK")
    local conn = lab:connection(client)
    lab:expect(conn):timer "keepalive"
    lab:expect_time(conn.timer_expires - last_heard.t, idle, "the keepalive timer")

    kodos:power_off()
    for _ = 1, probes do
      lab:expect_packet("kang > kodos", "keepalive probe", { fate = "lost" })
    end
    local reset = lab:expect_packet("kang > kodos", "RST",
      { fate = "lost" })
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    lab:expect_time(reset.t - last_heard.t, idle + interval * probes, "giving up by keepalive")
  end,
}
