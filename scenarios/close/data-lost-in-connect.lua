-- A capture shows a complete handshake, and even data from the server, yet connect(2) fails with
-- ECONNRESET. The connection opened and was reset before the program ran again.
return {
  title = "Data lost before connect returns",
  asks = "Is data lost if it arrives, and is acknowledged, before connect(2) fails?",
  source = "connect(2); RFC 9293 section 3.10.7.4 (RST bit)",
  here = "Yes. connect fails with ECONNRESET, and the banner that had arrived is lost: read fails "
    .. "with ENOTCONN. Measured on Linux 6.18.",
  why = "inet_stream_connect() sleeps until the state is no longer SYN_SENT. If the program runs "
    .. "again only after the RST (here it is frozen; elsewhere the machine may be busy), it finds "
    .. "the state CLOSED and returns sk_err. connect also disconnects the socket, which purges the "
    .. "receive queue.",
  tags = { "close", "reset", "connect" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--linger", 0, "-l", 8080)
    local syn_ack = lab:hold("kodos > kang", "SYN ACK")
    local client = kang:dnc("--repl", "--on-error", "keep")
    client:type("socket\nconnect kodos 8080\n")
    lab:expect(client):call("connect"):is_entered()
    lab:expect_packet("kodos > kang", "", { fate = "held" })

    client:freeze()
    syn_ack:remove()
    lab:expect(server):call("accept"):returns()
    server:type "write welcome\n"
    lab:expect(server):call("write"):returns(7)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack and tcp[8:4] > 1")
    server:type "close\n"
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(kang):in_state "CLOSED"

    client:thaw()
    lab:expect(client):call("connect"):fails "ECONNRESET"
    client:type "read\n"
    lab:expect(client):call("read"):fails "ENOTCONN"
  end,
}
