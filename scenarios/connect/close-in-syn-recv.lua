-- A program closes its socket in SYN_RECV. The kernel has already sent its SYN/ACK, so it completes
-- the handshake and then ends the connection with a FIN.
return {
  title = "Close in SYN_RECV",
  asks = "What does the kernel do when a program closes its socket in SYN_RECV?",
  source = "RFC 9293 section 3.10.4 (SYN-RECEIVED) and Figure 5: SYN-RCVD to FIN-WAIT-1",
  here = "The socket goes to FIN_WAIT1, and a FIN follows the SYN/ACK. The peer becomes "
    .. "ESTABLISHED, reads end of stream and is in CLOSE_WAIT. Measured on Linux 6.18.",
  why = "tcp_close_state() moves SYN_RECV to FIN_WAIT1, as it does with ESTABLISHED. A server's "
    .. "half-open connections are request_socks that no program can close. This script therefore "
    .. "uses a simultaneous open.",
  tags = { "connect", "close", "simultaneous" },

  run = function(lab)
    local kang, kodos = lab:pair()
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

    client:type "close\n"
    lab:expect(client):call("close"):returns(0)
    lab:expect(client):in_state "FIN_WAIT1"
    to_kodos:remove()
    lab:expect(other):call("connect"):returns(0)
    lab:expect(other):call("read"):returns(0)
    lab:expect(other):in_state "CLOSE_WAIT"
  end,
}
