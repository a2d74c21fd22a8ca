-- No packet is lost, but the path suddenly becomes longer than the sender expects. The sender
-- retransmits data that is still on its way. The receiver gets the data twice and reports the
-- duplicate, so the sender learns that nothing was lost.
return {
  title = "The path suddenly becomes longer",
  asks = "What does a sender do when an ACK is late but nothing was lost?",
  source = "RFC 6298 section 5; RFC 2883 section 4; RFC 5682 (F-RTO)",
  here = "It retransmits the data. The program reads the data once, and the receiver answers the "
    .. "copy with a D-SACK. Any Linux version with tcp_dsack = 1.",
  why = "The sender measured the round trip on the short path, so its RTO is 200 ms plus that "
    .. "round trip. A timer cannot tell a late ACK from a lost one. Only the D-SACK shows "
    .. "afterwards that nothing was lost (tcp_check_dsack()).",
  tags = { "segments", "delay", "retransmission" },

  run = function(lab)
    local client, server = lab:connected()

    local soon = lab:timer("tail_loss_probe", client)
    lab:delay("kang > kodos", { by = 1.5 * soon, name = "detour" })
    client:type "late\n"
    local first = lab:expect_packet("kang > kodos", "data", { fate = "delayed" })
    local retransmission = lab:expect_packet("kang > kodos", "data", { fate = "delayed" })
    lab:expect_time(retransmission.t - first.t, soon, "the unnecessary retransmission")
    lab:expect(server):call("read"):returns(5)
    lab:never(server, 1.5 * soon):call("read"):returns()
    local answer = lab:expect_packet("kodos > kang", "tcp[12] & 0xf0 > 0x80")
    lab:check(answer.summary:find "ack 6,.*sack 1:6", "a SACK block names the copy", answer.summary)
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
