-- Two segments swap places on the way, as can happen where a router uses two paths. For a moment
-- this looks like a loss: the receiver must wait, and the sender must not retransmit too soon.
return {
  title = "Data arrives out of order",
  asks = "What happens when a segment overtakes the one before it?",
  source = "RFC 9293 section 3.10.7.4, sixth and seventh steps; RFC 2018; RFC 8985 section 6.2",
  here = "The receiver keeps the later segment and reports it with SACK. The program reads "
    .. "nothing until the earlier segment arrives, and then reads all of the data. Nothing is "
    .. "retransmitted. Any Linux version with tcp_sack = 1.",
  why = "tcp_data_queue_ofo() puts the segment into the out-of-order queue. The receiver's "
    .. "duplicate ACK names the missing sequence number and carries the SACK block. One duplicate "
    .. "ACK is not enough for the sender to assume a loss (tcp_reordering; RACK allows a "
    .. "reordering window).",
  tags = { "segments", "reordering" },

  run = function(lab)
    local client, server = lab:connected()

    local large = "greater 500"
    lab:reorder("kang > kodos", large, { nth = 1, behind = 1 })
    client:type(string.rep("x", 2500))
    lab:expect(client):call("write"):returns(2500)
    local second = lab:expect_packet("kang > kodos", large)
    local first = lab:expect_packet("kang > kodos", large)
    lab:check(second.seq > first.seq, "the segments arrive out of order")
    local sack = lab:expect_packet("kodos > kang", "tcp[12] & 0xf0 > 0x80")
    local names_the_second = sack.summary:find "ack 1,.*sack %d+:2501"
    lab:check(names_the_second, "a SACK block names the second segment", sack.summary)
    lab:expect(server):call("read"):returns(2500)
    lab:never_packet(2 * lab:timer("tail_loss_probe", client), "kang > kodos", large)
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
