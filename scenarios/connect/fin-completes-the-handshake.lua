-- The last ACK of the handshake is lost, and the client closes at once. Its FIN carries the missing
-- ACK, so the server goes from SYN_RECV straight to CLOSE_WAIT; ss never shows it in ESTABLISHED.
return {
  title = "A FIN completes the handshake",
  asks = "What does accept return if the last ACK is lost and the client closes at once?",
  source = "RFC 9293 section 3.10.7.4, fifth step (SYN-RECEIVED) and eighth step (FIN bit)",
  here = "The connection, on which read returns 0. One frame, the FIN, takes the server from "
    .. "SYN_RECV to CLOSE_WAIT. Measured on Linux 6.18.",
  why = "Every segment after the SYN carries an ACK. tcp_check_req() creates the socket when the "
    .. "first of them arrives. tcp_child_process() then gives the same segment to that socket, "
    .. "which handles the FIN.",
  tags = { "connect", "close", "accept", "half-open" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--no-accept", "-l", 8080)
    lab:lose("kang > kodos", "ACK only", { count = 1 })
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect_packet("kang > kodos", "ACK only", { fate = "lost" })
    lab:expect(kodos):in_state "SYN_RECV"

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
