-- A client that asked and then vanished leaves the server with half a connection. No program knows
-- of it; it is the kernel's to remember, and to forget.
return {
  title = "The client vanishes during the handshake",
  asks = "How long does a server's kernel keep a connection whose client vanished after its SYN?",
  source = "RFC 9293 section 3.10.8; ip-sysctl, tcp_synack_retries",
  here = "SYN_RECV, the SYN,ACK sent again after 1, 3, 7, 15 and 31 s, and gone after 63 s with "
    .. "the default tcp_synack_retries = 5. The program is told nothing: accept waits. Any Linux.",
  why = "reqsk_timer_handler() doubles its interval from TCP_TIMEOUT_INIT on and drops the request "
    .. "when it has sent the SYN,ACK tcp_synack_retries times more.",
  tags = { "connect", "half-open", "timeout", "power" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    lab:cut("kodos > kang")
    local client = kang:dnc(kodos, 8080)
    local first = lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-syn|tcp-ack",
      { fate = "lost" })
    lab:expect(client):in_state "SYN_SENT"
    kang:power_off()
    lab:expect(kodos):in_state "SYN_RECV"

    local gives_up_after = lab:timer("synack_timeout", kodos)
    local patience = gives_up_after * 1.5 + 2 * lab.second
    local gone = lab:expect(kodos):within(patience):in_state "CLOSED"
    lab:expect_time(gone.t - first.t, gives_up_after, "giving up")
    lab:never(server, 0.1 * lab.second):call("accept"):returns()
  end,
}
