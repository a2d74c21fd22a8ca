-- A FIN has a sequence number, like data. If it is lost, the kernel retransmits it, and the peer
-- sees end of stream a little later.
return {
  title = "The FIN is lost",
  asks = "What happens if the FIN does not arrive?",
  source = "RFC 9293 section 3.10.8 (retransmission timeout); RFC 8985 section 7",
  here = "A tail loss probe retransmits it, and the peer reads 0. Until then the closing side "
    .. "stays in FIN_WAIT1. Measured on Linux 6.18.",
  why = "tcp_send_fin() queues the FIN like data. tcp_send_loss_probe() retransmits the last "
    .. "segment in the queue, which is the FIN.",
  tags = { "close", "loss" },

  run = function(lab)
    local client, server = lab:connected { client = { "--on-stdin-eof", "close" } }

    lab:lose("kang > kodos", "FIN", { count = 1 })
    local latest = lab:timer("first_retransmission", client)
    client:close_stdin()
    local lost = lab:expect_packet("kang > kodos", "FIN", { fate = "lost" })
    lab:expect(client):in_state "FIN_WAIT1"
    lab:expect(server):still_in_state "ESTABLISHED"
    local retransmission = lab:expect_packet("kang > kodos", "FIN", { fate = "delivered" })
    lab:expect_between(retransmission.t - lost.t, 0, latest, "the retransmission of the FIN")
    lab:expect(server):call("read"):returns(0)
    lab:expect(client):in_state "FIN_WAIT2"
  end,
}
