-- Both ends connect to each other at the same moment, and no program listens. The SYNs cross, and
-- TCP still makes one connection of them. The wire holds both SYNs until both are sent.
return {
  title = "Simultaneous open",
  asks = "What happens when both ends connect to each other at the same time?",
  source = "RFC 9293 section 3.5, Figure 7",
  here = "Both go from SYN_SENT to SYN_RECV to ESTABLISHED, and both connect calls return 0. No "
    .. "program listens. Any Linux version.",
  why = "In SYN_SENT, a SYN without ACK means that the peer connects, too. The socket goes to "
    .. "SYN_RECV and answers with a SYN/ACK that has its original sequence number "
    .. "(tcp_rcv_synsent_state_process()). Each SYN/ACK completes the handshake at the other end. "
    .. "Both sides need fixed ports; TCP hole punching through NATs uses this.",
  tags = { "connect", "simultaneous" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local wire = lab:hold("* > *", "tcp")
    local one = kang:dnc("-p", 1111, kodos, 2222)
    local other = kodos:dnc("-p", 2222, kang, 1111)
    lab:expect(one):in_state "SYN_SENT"
    lab:expect(other):in_state "SYN_SENT"
    wire:remove()

    for _, state in ipairs { "SYN_RECV", "ESTABLISHED" } do
      lab:expect(one):in_state(state)
      lab:expect(other):in_state(state)
    end
    lab:expect(one):call("connect"):returns(0)
    lab:expect(other):call("connect"):returns(0)
    one:type "hello\n"
    lab:expect(other):prints "hello"
    other:type "hello yourself\n"
    lab:expect(one):prints "hello yourself"
  end,
}
