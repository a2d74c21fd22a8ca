-- A FIN is part of the stream, with a sequence number: where it is lost it is sent again, and the
-- peer merely learns later that the stream has ended.
return {
  title = "The FIN is lost",
  asks = "What if the FIN does not arrive?",
  source = "RFC 9293 section 3.10.8 (retransmission timeout); RFC 8985 section 7",
  here = "FIN_WAIT1 goes on for one timeout, a tail loss probe repeats the FIN, the peer reads 0. "
    .. "Linux, measured on 6.18.",
  why = "tcp_send_fin() queues the FIN like data. tcp_send_loss_probe() sends the last segment "
    .. "again, and that is the FIN.",
  tags = { "close", "loss" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--on-stdin-eof", "close", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local fin = "tcp[tcpflags] & tcp-fin != 0"
    lab:lose("kang > kodos", fin, { count = 1 })
    local latest = lab:timer("first_retransmission", client)
    client:close_stdin()
    local lost = lab:expect_packet("kang > kodos", fin, { fate = "lost" })
    lab:expect(client):in_state "FIN_WAIT1"
    lab:expect(server):still_in_state "ESTABLISHED"
    local again = lab:expect_packet("kang > kodos", fin, { fate = "delivered" })
    lab:expect_between(again.t - lost.t, 0, latest, "the second FIN")
    lab:expect(server):call("read"):returns(0)
    lab:expect(client):in_state "FIN_WAIT2"
  end,
}
