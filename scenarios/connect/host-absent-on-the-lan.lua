-- A host on the same LAN is off. Before a SYN can leave, the kernel must find the host's link
-- address, and no host answers. connect fails sooner than with a black hole, and with another
-- errno.
return {
  title = "Host absent on the LAN",
  asks = "What does connect return when the host on the same LAN is off?",
  source = "RFC 1122 section 2.3.2.1; RFC 4861 section 7.2.2; arp(7), mcast_solicit",
  here = "EHOSTUNREACH after 3 s. No SYN leaves the client. Any Linux version.",
  why = "The SYN waits in the queue of the neighbour entry. The kernel sends mcast_solicit "
    .. "requests, retrans_time_ms apart. When the last one is not answered, the entry fails, and "
    .. "the kernel reports host unreachable to its own socket (ipv4_link_failure()). In SYN_SENT "
    .. "this ends the connection (tcp_v4_err()); in ESTABLISHED it does not.",
  tags = { "connect", "unreachable", "lan" },

  run = function(lab)
    local kang, kodos = lab:pair { neighbours = "dynamic" }
    kodos:power_off()
    local client = kang:dnc(kodos, 8080)
    local request = lab:expect_packet("kang > *", lab.family == 4 and "arp" or "icmp6")
    lab:expect(client):in_state "SYN_SENT"

    local fails_after = lab:timer("neighbour_failure", kang)
    local time_limit = fails_after * 1.5 + 2 * lab.second
    lab:expect(client):within(time_limit):call("connect"):fails "EHOSTUNREACH"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_time(gone.t - request.t, fails_after, "the neighbour failure")
    lab:expect(client):exits(1)
    lab:never_packet(0.1 * lab.second, "kang > *", "tcp")
  end,
}
