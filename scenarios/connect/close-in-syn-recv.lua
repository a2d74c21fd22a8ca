-- Closing before the connection is there: in SYN_RECV the other end has been promised a connection,
-- so it gets one, and its end. It takes a simultaneous open to have a socket to close by then.
return {
  title = "Closed before it is established",
  asks = "What does the kernel do when a program closes its socket in SYN_RECV?",
  source = "RFC 9293 section 3.10.4 (SYN-RECEIVED) and Figure 5: SYN-RCVD to FIN-WAIT-1",
  here = "FIN_WAIT1: a FIN is sent, after the SYN,ACK. The other end is ESTABLISHED, reads the end "
    .. "of the stream, and is in CLOSE_WAIT. Linux 6.18.",
  why = "tcp_close_state() has SYN_RECV go to FIN_WAIT1 as ESTABLISHED does. A server's half-open "
    .. "connections are no sockets yet (request_sock), so only a simultaneous open comes by here.",
  tags = { "connect", "close", "simultaneous" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local there = lab:hold("kang > kodos", "tcp")
    local back = lab:hold("kodos > kang", "tcp")
    local client = kang:dnc("--repl")
    client:type("socket " .. lab.family .. " nonblock\nbind 1111\nconnect kodos 2222\n")
    local other = kodos:dnc("-p", 2222, kang, 1111)
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(other):in_state "SYN_SENT"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-syn", { fate = "held" })
    back:lift()
    lab:expect(client):in_state "SYN_RECV"

    client:type "close\n"
    lab:expect(client):call("close"):returns(0)
    lab:expect(client):in_state "FIN_WAIT1"
    there:lift()
    lab:expect(other):call("connect"):returns(0)
    lab:expect(other):call("read"):returns(0)
    lab:expect(other):in_state "CLOSE_WAIT"
  end,
}
