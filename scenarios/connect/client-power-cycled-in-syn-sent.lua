-- A client is power cycled while the server's SYN/ACK is on its way. The new kernel does not know
-- the connection and answers with a RST, so the server's half-open connection ends at once.
return {
  title = "Client power cycled during the handshake",
  asks = "What happens when a SYN/ACK reaches a client that has forgotten its SYN?",
  source = "RFC 9293 section 3.5.2, group 1; section 3.5, Figure 9",
  here = "The client's new kernel answers with a RST. The server goes from SYN_RECV back to "
    .. "LISTEN, and its program sees nothing. Any Linux version.",
  why = "The SYN/ACK acknowledges a SYN that the new kernel did not send. The answer is a RST "
    .. "whose sequence number is that acknowledgment number. In SYN_RECV after a passive open a "
    .. "RST leads back to LISTEN (RFC 9293 section 3.10.7.4): tcp_check_req() drops the request.",
  tags = { "connect", "half-open", "reset", "power" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local syn_ack = lab:hold("kodos > kang", "SYN ACK")
    local client = kang:dnc(kodos, 8080)
    lab:expect_packet("kodos > kang", "tcp", { fate = "held" })
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(kodos):in_state "SYN_RECV"

    kang:power_cycle()
    syn_ack:remove()
    lab:expect_packet("kang > kodos", "RST only")
    lab:expect(kodos):in_state "CLOSED"
    lab:expect(kang):has_no_connection()
    lab:never(server, 0.1 * lab.second):call("accept"):returns()
    lab:expect(kodos):listens(8080)
  end,
}
