-- One segment with data is lost. Nobody is told: the write has succeeded long ago, and the reader
-- waits a little longer. A latency of just over 200 ms is the mark of it.
return {
  title = "The first data is lost",
  asks = "What do the two programs notice when a segment with data is lost?",
  source = "RFC 9293 section 3.8.1; RFC 8985 section 7 (tail loss probe)",
  here = "Nothing but the time: the segment is sent again after one retransmission timeout, 200 "
    .. "ms and the round trip. What comes first is called a tail loss probe, and is the same "
    .. "segment. Any Linux since 3.10.",
  why = "No later segment tells the receiver of a gap, so only a timer mends it. For a single "
    .. "segment tcp_schedule_loss_probe() allows for a delayed ACK (tcp_rto_min), which makes the "
    .. "probe as late as a retransmission.",
  tags = { "segments", "retransmission", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local data = "tcp[tcpflags] & tcp-push != 0"
    lab:lose("kang > kodos", data, { count = 1 })
    client:type "hello, kodos\n"
    lab:expect(client):call("write"):returns(13)
    local lost = lab:expect_packet("kang > kodos", data, { fate = "lost" })
    local again = lab:expect_packet("kang > kodos", data, { fate = "delivered" })
    if again.seq ~= lost.seq then error "that is other data" end
    lab:expect_time(again.t - lost.t, lab:timer("tail_loss_probe", client), "the next attempt")
    lab:expect(server):call("read"):returns(13)
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
