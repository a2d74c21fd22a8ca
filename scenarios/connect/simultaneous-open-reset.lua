-- In a simultaneous open a connecting socket can be in SYN_RECV. RFC 9293 calls a RST in this state
-- a refused connection; Linux reports ECONNRESET.
return {
  title = "Simultaneous open reset in SYN_RECV",
  asks = "What does connect return if the peer resets a simultaneous open in SYN_RECV?",
  source = "RFC 9293 section 3.10.7.4 (SYN-RECEIVED, RST); section 3.5.3",
  here = "ECONNRESET. RFC 9293 says \"connection refused\". Measured on Linux 6.18.",
  why = "tcp_reset() sets ECONNREFUSED only in SYN_SENT. In SYN_RECV it sets ECONNRESET.",
  tags = { "connect", "simultaneous", "reset", "power" },

  run = function(lab)
    local kang, kodos = lab:pair()
    -- SYN_SENT and SYN_RECV must outlast the power cycle, also on a slow machine.
    kang:sysctl("net.ipv4.tcp_syn_retries", 5)
    local to_kodos = lab:hold("kang > kodos", "tcp")
    local to_kang = lab:hold("kodos > kang", "tcp")
    local client = kang:dnc("-p", 1111, kodos, 2222)
    local other = kodos:dnc("-p", 2222, kang, 1111)
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(other):in_state "SYN_SENT"
    lab:expect_packet("kodos > kang", "SYN", { fate = "held" })
    to_kang:remove()
    lab:expect(client):in_state "SYN_RECV"
    lab:expect_packet("kang > kodos", "SYN ACK", { fate = "held" })

    kodos:power_cycle()
    to_kodos:remove()
    lab:expect_packet("kodos > kang", "RST only")
    lab:expect(client):call("connect"):fails "ECONNRESET"
    lab:expect(client):in_state "CLOSED"
  end,
}
