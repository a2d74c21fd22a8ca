-- One data segment is lost. No program gets an error: the write succeeded long ago, and the reader
-- only waits longer. A delay of just over 200 ms is the typical sign.
return {
  title = "The first data segment is lost",
  asks = "What do the two programs notice when a data segment is lost?",
  source = "RFC 9293 section 3.8.1; RFC 8985 section 7 (tail loss probe)",
  here = "Only a delay. The sender retransmits the segment after one RTO: 200 ms plus the round "
    .. "trip. This first retransmission is called a tail loss probe. Linux 3.10 or newer.",
  why = "No later segment shows the receiver a gap, so only a timer can recover the loss. For a "
    .. "single segment, tcp_schedule_loss_probe() adds time for a delayed ACK (tcp_rto_min), so "
    .. "the probe comes as late as a retransmission would.",
  tags = { "segments", "retransmission", "recovery" },

  run = function(lab)
    local client, server = lab:connected()

    lab:lose("kang > kodos", "data", { count = 1 })
    client:type "hello, kodos\n"
    lab:expect(client):call("write"):returns(13)
    local lost = lab:expect_packet("kang > kodos", "data", { fate = "lost" })
    local retransmission = lab:expect_packet("kang > kodos", "data", { fate = "delivered" })
    lab:check(retransmission.seq == lost.seq, "the retransmission has the same data")
    lab:expect_time(retransmission.t - lost.t, lab:timer("tail_loss_probe", client),
      "the retransmission")
    lab:expect(server):call("read"):returns(13)
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
