-- A program aborts a socket that is still in SYN_RECV. The peer already knows of the connection, so
-- the kernel must send it a RST; otherwise the peer would wait until it times out.
return {
  title = "Abort in SYN_RECV",
  asks = "What does the kernel do when a program aborts its socket in SYN_RECV?",
  source = "RFC 9293 section 3.10.5 (SYN-RECEIVED); socket(7), SO_LINGER",
  here = "The kernel sends a RST, and the socket is CLOSED. The peer receives the SYN and then the "
    .. "RST: its connect fails with ECONNRESET. Measured on Linux 6.18.",
  why = "close with SO_LINGER {1, 0} calls tcp_disconnect(). It sends a RST in those states in "
    .. "which the peer may know of the connection (tcp_need_reset()). SYN_RECV is one of them, "
    .. "SYN_SENT is not.",
  tags = { "connect", "close", "reset", "simultaneous" },

  run = function(lab)
    local kang, kodos = lab:pair()
    lab:lose("kang > kodos", "SYN ACK")
    local to_kodos = lab:hold("kang > kodos", "tcp")
    local to_kang = lab:hold("kodos > kang", "tcp")
    local client = kang:dnc("--repl")
    client:type("socket nonblock\nbind 1111\nconnect kodos 2222\n")
    local other = kodos:dnc("-p", 2222, kang, 1111)
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(other):in_state "SYN_SENT"
    lab:expect_packet("kodos > kang", "SYN", { fate = "held" })
    to_kang:remove()
    lab:expect(client):in_state "SYN_RECV"

    client:type "setsockopt SO_LINGER 0\nclose\n"
    lab:expect(client):call("close"):returns(0)
    lab:expect_packet("kang > kodos", "RST", { fate = "held" })
    lab:expect(client):in_state "CLOSED"
    to_kodos:remove()
    lab:expect(other):call("connect"):fails "ECONNRESET"
    lab:expect(other):in_state "CLOSED"
  end,
}
