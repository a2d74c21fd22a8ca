-- The program closes its socket before the server has answered the SYN. The server's SYN/ACK then
-- finds no socket, and a RST ends the half-open connection.
return {
  title = "Close in SYN_SENT",
  asks = "What happens to a connection attempt when the program closes the socket?",
  source = "RFC 9293 section 3.10.4 (CLOSE, SYN-SENT) and section 3.5.2, group 1",
  here = "close sends nothing. When the SYN/ACK arrives, the client's kernel answers it with a "
    .. "RST. The server's connection goes from SYN_RECV to CLOSED, and accept never returns it. "
    .. "Measured on Linux 6.18.",
  why = "For SYN-SENT, RFC 9293 says \"delete the TCB\", and tcp_close_state() sends no FIN. The "
    .. "SYN/ACK then finds no socket, so tcp_v4_send_reset() answers it.",
  tags = { "close", "connect", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local syn_ack = lab:hold("kodos > kang", "SYN ACK")
    local client = kang:dnc("--repl")
    client:type("socket nonblock\nconnect kodos 8080\n")
    lab:expect(client):call("connect"):fails "EINPROGRESS"
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(kodos):in_state "SYN_RECV"
    lab:expect_packet("kodos > kang", "", { fate = "held" })

    client:type "close\n"
    lab:expect(client):call("close"):returns(0)
    lab:expect(client):in_state "CLOSED"
    lab:never_packet(0.2 * lab.second, "kang > kodos", "tcp")
    syn_ack:remove()
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(kodos):in_state "CLOSED"
    lab:never(server, 0.1):call("accept"):returns()
  end,
}
