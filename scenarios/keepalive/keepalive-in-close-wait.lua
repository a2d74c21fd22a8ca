-- A program keeps its socket in CLOSE_WAIT after the peer's orphaned socket is gone, as in
-- broken-without-failure.lua. A keepalive probe gets a RST, which ends this leaked connection.
return {
  title = "Keepalive on a stale CLOSE_WAIT",
  asks = "Does keepalive clean up connections that hang in CLOSE_WAIT?",
  source = "tcp(7), SO_KEEPALIVE; RFC 9293 section 3.8.4",
  here = "Yes, once the peer's FIN_WAIT2 is gone. The first probe after that gets a RST: poll "
    .. "reports ERR|HUP (0x18), read returns 0, and SO_ERROR is EPIPE. While FIN_WAIT2 exists, "
    .. "the peer answers the probes. Measured on Linux 6.18.",
  why = "tcp_keepalive_timer() probes in every state except CLOSED and SYN_SENT. tcp_reset() sets "
    .. "EPIPE in CLOSE_WAIT.",
  tags = { "keepalive", "close" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_keepalive_time"] = "2",
      ["net.ipv4.tcp_keepalive_intvl"] = "1",
      ["net.ipv4.tcp_keepalive_probes"] = "2",
    } }
    kodos:sysctl("net.ipv4.tcp_fin_timeout", 1)
    local client, server = lab:connect(kang, kodos, { client = { "--keepalive", "//" } })

    server:stop "SIGINT"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):in_state "CLOSE_WAIT"
    lab:expect(server):in_state "FIN_WAIT2"
    local last_segment = lab:expect_packet("kodos > kang", "FIN")

    local idle = tonumber(kang:sysctl "net.ipv4.tcp_keepalive_time")
    lab:expect(client):within(idle * 1.5 + 2):call("poll"):reports "ERR|HUP"
    local reset = lab:expect_packet("kodos > kang", "RST")
    lab:expect_time(reset.t - last_segment.t, idle, "the first keepalive probe")
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "EPIPE"
    lab:expect(client):in_state "CLOSED"
  end,
}
