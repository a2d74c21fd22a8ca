-- A network may deliver a packet twice, as some links that retransmit on their own do. The program
-- must not read the data twice, and the sender should learn that nothing was lost.
return {
  title = "Data arrives twice",
  asks = "What does a receiver do with a segment that it already has?",
  source = "RFC 9293 section 3.10.7.4, first step (sequence number); RFC 2883 section 4 (D-SACK)",
  here = "The program reads the data once. The receiver answers the copy with an ACK whose SACK "
    .. "block names the duplicate, below the ACK number (a D-SACK). Any Linux version with "
    .. "tcp_dsack = 1.",
  why = "The whole copy lies before the receive window, so the kernel queues nothing and answers "
    .. "with an ACK (tcp_data_queue(), tcp_send_dupack()). If the copy was a retransmission, the "
    .. "D-SACK tells the sender that it was unnecessary.",
  tags = { "segments", "duplicate" },

  run = function(lab)
    local client, server = lab:connected()

    lab:duplicate("kang > kodos", "data")
    client:type "once\n"
    local first = lab:expect_packet("kang > kodos", "data")
    local copy = lab:expect_packet("kang > kodos", "data")
    lab:check(copy.seq == first.seq, "the second segment is a copy of the first")
    lab:expect(server):call("read"):returns(5)
    lab:never(server, 0.1):call("read"):returns()

    local with_sack_block = "tcp[12] & 0xf0 > 0x80" -- more options than timestamps
    local answer = lab:expect_packet("kodos > kang", with_sack_block)
    lab:check(answer.summary:find "ack 6,.*sack 1:6", "a SACK block names the copy", answer.summary)
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
