-- connect(2) fails with ECONNRESET, and the capture shows a complete handshake, even an answer.
-- Both are right: the connection was there, and gone, before the program ran again.
return {
  title = "Data that came before connect returned",
  asks = "Is data lost that arrived, and was acknowledged, before connect(2) failed?",
  source = "connect(2); RFC 9293 section 3.10.7.4 (RST bit)",
  here = "connect: ECONNRESET. The banner that had arrived is lost with it: read ENOTCONN. Linux, "
    .. "measured on 6.18.",
  why = "inet_stream_connect() sleeps until the state is no longer SYN_SENT. Where the program "
    .. "does not run at once (here it is frozen; usually the machine is busy) it wakes to find "
    .. "CLOSED, and takes sk_err for its answer; then it disconnects the socket, which purges what "
    .. "was received.",
  tags = { "close", "reset", "connect" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--repl", "--linger", 0, "-l", 8080)
    local syn_ack = lab:hold("kodos > kang", "tcp[tcpflags] & tcp-syn != 0")
    local client = kang:dnc("--repl", "--on-error", "keep")
    client:type("socket " .. lab.family .. "\nconnect kodos 8080\n")
    lab:expect(client):call("connect"):is_entered()
    lab:expect_packet("kodos > kang", "", { fate = "held" })

    client:freeze()
    syn_ack:lift()
    lab:expect(server):call("accept"):returns()
    server:type "write welcome\n"
    lab:expect(server):call("write"):returns(7)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-ack and tcp[8:4] > 1")
    server:type "close\n"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(kang):in_state "CLOSED"

    client:thaw()
    lab:expect(client):call("connect"):fails "ECONNRESET"
    client:type "read\n"
    lab:expect(client):call("read"):fails "ENOTCONN"
  end,
}
