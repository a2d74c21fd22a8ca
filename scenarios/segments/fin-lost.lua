-- The FIN is lost. It is a byte in the sequence like any other, so it is sent again; meanwhile the
-- closer is in FIN_WAIT1, and the other end does not know that there is an end.
return {
  title = "The FIN is lost",
  asks = "In which states are the two ends when the FIN is lost, and what mends it?",
  source = "RFC 9293 section 3.6; RFC 6298 section 5",
  here = "FIN_WAIT1 and ESTABLISHED until the FIN is sent again, one retransmission timeout "
    .. "later. Any Linux.",
  why = "A FIN occupies a sequence number, stays in the retransmission queue and has its timer as "
    .. "data has. read(2) goes on waiting on the other end: what has not arrived has not "
    .. "happened.",
  tags = { "segments", "close", "retransmission", "recovery" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--on-stdin-eof", "close", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local fin = "tcp[tcpflags] & tcp-fin != 0"
    lab:lose("kang > kodos", fin, { count = 1 })
    client:close_stdin()
    lab:expect(client):call("close"):returns(0)
    local lost = lab:expect_packet("kang > kodos", fin, { fate = "lost" })
    lab:expect(kang):in_state "FIN_WAIT1"
    lab:expect(server):still_in_state "ESTABLISHED"

    local again = lab:expect_packet("kang > kodos", fin, { fate = "delivered" })
    lab:expect_time(again.t - lost.t, lab:timer("tail_loss_probe", kang), "the next FIN")
    lab:expect(server):call("read"):returns(0)
    lab:expect(server):in_state "CLOSE_WAIT"
    lab:expect(kang):in_state "FIN_WAIT2"
  end,
}
