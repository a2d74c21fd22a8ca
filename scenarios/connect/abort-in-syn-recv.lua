-- Aborting before the connection is there: the other end has been told of it, so it is told of the
-- end, too.
return {
  title = "Aborted before it is established",
  asks = "What does the kernel do when a program aborts its socket in SYN_RECV?",
  source = "RFC 9293 section 3.10.5 (SYN-RECEIVED); socket(7), SO_LINGER",
  here = "A RST goes out, and the state is CLOSED. The other end, which sees the SYN and the "
    .. "RST, has its connect fail with ECONNRESET. Linux 6.18.",
  why = "close with SO_LINGER {1, 0} is tcp_disconnect(), which sends a RST where the peer may "
    .. "know of the connection (tcp_need_reset()); SYN_RECV is among those states, SYN_SENT is "
    .. "not.",
  tags = { "connect", "close", "reset", "simultaneous" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:lose("kang > kodos", "tcp[tcpflags] == tcp-syn|tcp-ack")
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

    client:type "setsockopt SO_LINGER 0\nclose\n"
    lab:expect(client):call("close"):returns(0)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0", { fate = "held" })
    lab:expect(client):in_state "CLOSED"
    there:lift()
    lab:expect(other):call("connect"):fails "ECONNRESET"
    lab:expect(other):in_state "CLOSED"
  end,
}
