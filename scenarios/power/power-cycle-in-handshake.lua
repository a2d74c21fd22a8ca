-- The server's host is power cycled between its SYN/ACK and the client's ACK. connect(2) has
-- already returned 0. The new kernel answers the ACK with a RST.
return {
  title = "Power cycle in the handshake",
  asks = "Is a connection safe once connect has returned 0?",
  source = "RFC 9293 section 3.5, Figure 6, and section 3.5.2, group 1",
  here = "No. connect returns 0, but the ACK that completes the handshake reaches a kernel that "
    .. "does not know the connection. That kernel sends a RST, and the first read fails with "
    .. "ECONNRESET. Measured on Linux 6.18.",
  why = "The client is ESTABLISHED when it has the SYN/ACK. It does not know whether the server "
    .. "has its ACK, or whether the server's program has called accept.",
  tags = { "power", "connect", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:at_boot("dnc", "-l", 8080)
    lab:expect(kodos):listens(8080)
    local ack = lab:hold("kang > kodos", "ACK only")
    local client = kang:dnc("--repl", kodos, 8080)
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "SYN_RECV"
    lab:expect_packet("kang > kodos", "", { fate = "held" })

    kodos:power_cycle()
    lab:expect(kodos):listens(8080) -- the server runs again, without the connection
    ack:remove()
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):in_state "CLOSED"
    client:type "poll in\nread\n"
    lab:expect(client):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ECONNRESET"
  end,
}
