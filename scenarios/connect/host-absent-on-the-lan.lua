-- On one's own LAN a host that is off is found out sooner, and by another name: before a SYN can
-- leave, the neighbour's link address must be known, and nobody answers that question either.
return {
  title = "Host absent on the LAN",
  asks = "What does connect see when the host on the same LAN is off?",
  source = "RFC 1122 section 2.3.2.1; RFC 4861 section 7.2.2; arp(7), mcast_solicit",
  here = "EHOSTUNREACH after 3 s, and no SYN ever leaves. Any Linux.",
  why = "The SYN waits in the neighbour entry's queue while mcast_solicit requests go out, "
    .. "retrans_time_ms apart. When the last is not answered, the entry fails and its queue is "
    .. "told: the kernel raises host unreachable with its own socket (ipv4_link_failure()), and in "
    .. "SYN_SENT that is fatal (tcp_v4_err()), unlike in ESTABLISHED.",
  tags = { "connect", "unreachable", "lan" },

  run = function(lab)
    local kang, kodos = lab:pair { neighbours = "learnt" }
    kodos:power_off()
    local client = kang:dnc(kodos, 8080)
    local asked = lab:expect_packet("kang > *", lab.family == 4 and "arp" or "icmp6")
    lab:expect(client):in_state "SYN_SENT"

    local fails_after = lab:timer("neighbour_failure", kang)
    local patience = fails_after * 1.5 + 2 * lab.second
    lab:expect(client):within(patience):call("connect"):fails "EHOSTUNREACH"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_time(gone.t - asked.t, fails_after, "finding out")
    lab:expect(client):exits(1)
    lab:never_packet(0.1 * lab.second, "kang > *", "tcp")
  end,
}
