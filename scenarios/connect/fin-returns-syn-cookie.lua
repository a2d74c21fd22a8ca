-- A server that answers with a SYN cookie stores no state until the last ACK of the handshake
-- arrives. Here that ACK is lost and the client closes. Its FIN also carries the cookie, so the
-- connection is not lost.
return {
  title = "A FIN returns the SYN cookie",
  asks = "With SYN cookies, does accept return a connection whose last ACK was lost?",
  source = "RFC 4987 section 3.6; RFC 9293 section 3.10.7.4, eighth step (FIN bit)",
  here = "Yes, as soon as another segment arrives, here the client's FIN. This one frame takes the "
    .. "server from CLOSED to CLOSE_WAIT. accept returns the connection, and read returns 0. "
    .. "Measured on Linux 6.18.",
  why = "Every segment after the SYN carries an ACK, and with it the cookie. cookie_v4_check() "
    .. "creates a socket from it. tcp_child_process() then gives the same segment to that socket, "
    .. "which handles the FIN.",
  tags = { "connect", "close", "accept", "syncookies" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_syncookies"] = 2 } }
    local server = kodos:dnc("--repl", "--no-accept", "-l", 8080)
    lab:lose("kang > kodos", "ACK only", { count = 1 })
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect_packet("kang > kodos", "ACK only", { fate = "lost" })
    lab:expect(kodos):has_no_connection()

    client:type "shutdown wr\n"
    lab:expect_packet("kang > kodos", "FIN")
    lab:expect(kodos):in_state "CLOSE_WAIT"
    lab:expect(client):in_state "FIN_WAIT2"
    server:type "accept\nread\nclose\n"
    lab:expect(server):call("accept"):returns()
    lab:expect(server):call("read"):returns(0)
    lab:expect(client):in_state "TIME_WAIT"
  end,
}
