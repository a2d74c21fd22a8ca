-- A SYN of an earlier attempt has been on its way for long, and arrives just before the one that
-- counts. The listener cannot tell them apart; the host that is said to have sent it can.
return {
  title = "Recovery from an old duplicate SYN",
  asks = "What happens when an old SYN arrives before the one that was sent now?",
  source = "RFC 9293 section 3.5, Figure 8 (Figure 9 of RFC 793)",
  here = "The listener answers it; the client finds that its number was not acknowledged and "
    .. "sends RST; the half-open request is dropped, and the SYN that was sent now connects. Any "
    .. "Linux.",
  why = "In SYN_SENT an acknowledgment of another number than that of its SYN makes a host send a "
    .. "RST with that number (tcp_rcv_synsent_state_process() in net/ipv4/tcp_input.c), which is "
    .. "just what the listener expects next from the peer that it believes in.",
  tags = { "segments", "syn", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local late = lab:hold("kang > kodos", "tcp[tcpflags] & tcp-syn != 0")
    local client = kang:dnc("-p", 4000, kodos, 8080)
    lab:expect(client):in_state "SYN_SENT"
    lab:expect_packet("kang > kodos", "", { fate = "held" })

    lab:forge { to = kodos, from = kang, source_port = 4000, port = 8080, flags = "S", seq = 90 }
    lab:expect(kodos):in_state "SYN_RECV"
    local answer = lab:expect_packet("kodos > kang", "tcp[tcpflags] & tcp-syn != 0")
    if answer.ack ~= 91 then error "it does not acknowledge the old SYN" end
    local reset = lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-rst != 0")
    if reset.seq ~= 91 then error "the RST has not the number that the listener expects" end
    lab:expect(kodos):in_state "CLOSED"
    lab:expect(client):still_in_state "SYN_SENT"

    late:lift()
    lab:expect(kodos):in_state "SYN_RECV"
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()
  end,
}
