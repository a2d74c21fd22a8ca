-- A client that was power cycled connects again and, by bad luck or by its own choice, from the
-- same port. The server's kernel still has the old connection: the SYN is for ESTABLISHED. TCP
-- sorts this out by itself, at the price of one SYN's timeout.
return {
  title = "The client returns from the same port",
  asks = "Can a client that was power cycled connect again from the same port?",
  source = "RFC 9293 section 3.5.1, Figure 9 (half-open connection discovery); RFC 5961 section 4",
  here = "Yes: SYN, challenge ACK of the old connection, RST, and one second later the SYN again, "
    .. "which is accepted. The server's program reads ECONNRESET from the old connection. Linux, "
    .. "measured on 6.18.",
  why = "tcp_validate_incoming() answers a SYN in ESTABLISHED with an ACK of what it expects; "
    .. "SYN_SENT finds that unacceptable and answers with a RST that fits (SEG.SEQ = SEG.ACK), "
    .. "which ends the old connection.",
  tags = { "power", "reset", "connect" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-k", "--on-error", "exit", "-l", 8080)
    local old = kang:dnc("-p", 40000, kodos, 8080)
    lab:expect(old):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    kang:power_cycle()
    local again = kang:dnc("-p", 40000, kodos, 8080)
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-syn")
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
    local reset = lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] = tcp-syn")
    lab:expect(again):in_state "ESTABLISHED"
    lab:say("the reset came after " .. reset.t .. " s")
  end,
}
