-- A simultaneous open has a moment that no other client knows: it is in SYN_RECV, by its own
-- connect. A reset then is neither a refusal nor the end of a connection, and Linux must choose.
return {
  title = "Simultaneous open, reset",
  asks = "What does connect return when the other end resets a simultaneous open in SYN_RECV?",
  source = "RFC 9293 section 3.10.7.4 (SYN-RECEIVED, RST); section 3.5.3",
  here = "ECONNRESET. RFC 9293 calls it \"connection refused\". Linux 6.18.",
  why = "tcp_reset() makes ECONNREFUSED of a RST in SYN_SENT only; SYN_RECV is among the states "
    .. "that get ECONNRESET.",
  tags = { "connect", "simultaneous", "reset", "power" },

  run = function(lab)
    local kang, kodos = lab:pair()
    -- Patience of the SYN_SENT and SYN_RECV ends, for a machine on which a power cycle takes long.
    kang:sysctl("net.ipv4.tcp_syn_retries", 5)
    local there = lab:hold("kang > kodos", "tcp")
    local back = lab:hold("kodos > kang", "tcp")
    local client = kang:dnc("-p", 1111, kodos, 2222)
    local other = kodos:dnc("-p", 2222, kang, 1111)
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(other):in_state "SYN_SENT"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-syn", { fate = "held" })
    back:lift()
    lab:expect(client):in_state "SYN_RECV"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] == tcp-syn|tcp-ack", { fate = "held" })

    kodos:power_cycle()
    there:lift()
    lab:expect_packet("kodos > kang", "tcp[tcpflags] == tcp-rst")
    lab:expect(client):call("connect"):fails "ECONNRESET"
    lab:expect(client):in_state "CLOSED"
  end,
}
