-- tcp_early_retrans: with it, what was lost at the end of a burst is asked after by a probe before
-- the retransmission timer; without it, that timer is all there is, and fires a timeout sooner.
return {
  title = "tcp_early_retrans = 0",
  asks = "When is a lone lost segment sent again, with and without tail loss probes?",
  source = "ip-sysctl, tcp_early_retrans; RFC 8985 section 7",
  here = "Without probes the retransmission comes one timeout after the write; with them a probe "
    .. "comes then, and the retransmission one timeout later. Linux 3.10 or newer, measured on "
    .. "6.18.",
  why = "tcp_schedule_loss_probe() puts the probe's timer in place of the retransmission timer; "
    .. "for a single segment it allows for a delayed ACK, which makes it about as long.",
  tags = { "options", "loss" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_early_retrans"] = "0" } }
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    local data = "tcp[tcpflags] & tcp-push != 0"
    lab:lose("kang > kodos", data, { count = 1 })
    local expected = lab:timer("first_retransmission", client)
    client:type "lost at first\n"
    local lost = lab:expect_packet("kang > kodos", data, { fate = "lost" })
    local again = lab:expect_packet("kang > kodos", data, { fate = "delivered" })
    lab:expect_time(again.t - lost.t, expected, "the retransmission")
    lab:expect(server):prints "lost at first"
  end,
}
