-- Nobody listens, and yet a connection comes about: both ends connect to each other at the same
-- moment, the SYNs cross, and TCP has states for it. The wire holds both SYNs until both are out.
return {
  title = "Simultaneous open",
  asks = "What happens when both ends connect to each other at the same time?",
  source = "RFC 9293 section 3.5, Figure 7",
  here = "Both: SYN_SENT, SYN_RECV, ESTABLISHED; both connect calls return 0. Nobody listens. Any "
    .. "Linux.",
  why = "A SYN without ACK that arrives in SYN_SENT is the other end's own beginning: the socket "
    .. "goes to SYN_RECV and answers SYN,ACK with the sequence number that it has sent already "
    .. "(tcp_rcv_synsent_state_process()). Each SYN,ACK completes the other side. It takes fixed "
    .. "ports on both sides, which is what TCP hole punching through NATs arranges.",
  tags = { "connect", "simultaneous" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local wire = lab:hold("* > *", "tcp")
    local one = kang:dnc("-p", 1111, kodos, 2222)
    local other = kodos:dnc("-p", 2222, kang, 1111)
    lab:expect(one):in_state "SYN_SENT"
    lab:expect(other):in_state "SYN_SENT"
    wire:lift()

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
