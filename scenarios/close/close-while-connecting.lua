-- The program gave up before the other end answered. The SYN was on its way: the listener answers
-- it, and learns from a RST that nobody is there any more.
return {
  title = "Close in SYN_SENT",
  asks = "What happens to a connection attempt whose program closes the socket?",
  source = "RFC 9293 section 3.10.4 (CLOSE, SYN-SENT) and section 3.5.2, group 1",
  here = "Nothing is sent at close; the SYN-ACK that comes later is answered with RST. The "
    .. "listener goes SYN_RECV, CLOSED, and accept never sees it. Linux, measured on 6.18.",
  why = "RFC 9293: in SYN-SENT \"delete the TCB\"; tcp_close_state() has no FIN for it. The "
    .. "SYN-ACK then finds no socket: tcp_v4_send_reset().",
  tags = { "close", "connect", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local late = lab:hold("kodos > kang", "tcp[tcpflags] & tcp-syn != 0")
    local client = kang:dnc("--repl")
    client:type("socket " .. lab.family .. " nonblock\nconnect kodos 8080\n")
    lab:expect(client):call("connect"):fails "EINPROGRESS"
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(kodos):in_state "SYN_RECV"
    lab:expect_packet("kodos > kang", "", { fate = "held" })

    client:type "close\n"
    lab:expect(client):call("close"):returns(0)
    lab:expect(client):in_state "CLOSED"
    lab:never_packet(0.2 * lab.second, "kang > kodos", "tcp")
    late:lift()
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(kodos):in_state "CLOSED"
    lab:never(server, 0.1):call("accept"):returns()
  end,
}
