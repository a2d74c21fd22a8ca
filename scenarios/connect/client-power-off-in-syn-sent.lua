-- A client sends a SYN and is then powered off. The server's kernel keeps a half-open connection
-- and retransmits the SYN/ACK until it gives up; the program never sees the connection.
return {
  title = "Client vanishes during the handshake",
  asks = "How long does a server keep a connection whose client vanished after its SYN?",
  source = "RFC 9293 section 3.10.8; ip-sysctl, tcp_synack_retries",
  here = "63 s in SYN_RECV with the default tcp_synack_retries = 5. The kernel retransmits the "
    .. "SYN/ACK after 1, 3, 7, 15 and 31 s. The program sees nothing: accept keeps waiting. Any "
    .. "Linux version.",
  why = "reqsk_timer_handler() doubles its interval, starting from TCP_TIMEOUT_INIT. It drops the "
    .. "request after tcp_synack_retries retransmissions of the SYN/ACK.",
  tags = { "connect", "half-open", "timeout", "power" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    lab:cut("kodos > kang")
    local client = kang:dnc(kodos, 8080)
    local first = lab:expect_packet("kodos > kang", "SYN ACK",
      { fate = "lost" })
    lab:expect(client):in_state "SYN_SENT"
    kang:power_off()
    lab:expect(kodos):in_state "SYN_RECV"

    local gives_up_after = lab:timer("synack_r2", kodos)
    local time_limit = gives_up_after * 1.5 + 2 * lab.second
    local gone = lab:expect(kodos):within(time_limit):in_state "CLOSED"
    lab:expect_time(gone.t - first.t, gives_up_after, "giving up")
    lab:never(server, 0.1 * lab.second):call("accept"):returns()
  end,
}
