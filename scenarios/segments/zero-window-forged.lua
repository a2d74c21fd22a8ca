-- A forged window of 0 tells a sender to wait. It costs the attacker one segment; what does it cost
-- the connection?
return {
  title = "A forged zero window",
  asks = "What happens to a sender that is told by a forged segment that the window is closed?",
  source = "RFC 9293 section 3.8.6.1",
  here = "It sends nothing but a probe, after a retransmission timeout. The real peer answers it "
    .. "with its real window, and everything goes on. Any Linux.",
  why = "A closed window is probed for ever, as the segment that opens it may be lost "
    .. "(tcp_probe_timer() in net/ipv4/tcp_timer.c). So a lie about it lasts one round of the "
    .. "timer.",
  tags = { "segments", "window" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()

    local timeout = lab:timer("tail_loss_probe", client)
    lab:connection(client):ack { window = 0 }
    client:type "may I?\n"
    local write = lab:expect(client):call("write"):returns(7)
    local probe = lab:expect_packet("kang > kodos", "tcp")
    if probe.length then error "it sends data into a closed window" end
    lab:expect_time(probe.t - write.t, timeout, "the first probe")
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack")
    lab:expect(server):prints "may I?"
  end,
}
