-- The same ICMP errors that end connect(2) do nothing to a connection that is established: routes
-- flap, and anybody can forge them. But the kernel remembers.
return {
  title = "An ICMP error in an established connection",
  asks = "What does an ICMP error do to a connection that is established?",
  source = "RFC 1122 section 4.2.3.9, RFC 5461 section 2.1",
  here = "Nothing, at first, be it a soft error (host-unreachable) or a hard one "
    .. "(port-unreachable). When the kernel gives up retransmitting, the program sees the last of "
    .. "them, here EHOSTUNREACH, instead of ETIMEDOUT. Any Linux.",
  why = "tcp_v4_err() in net/ipv4/tcp_ipv4.c only notes it in sk_err_soft, unless the program "
    .. "asked for errors with IP_RECVERR; tcp_write_err() in net/ipv4/tcp_timer.c reports that "
    .. "first. RFC 1122 would have hard errors abort the connection; Linux does not let them.",
  tags = { "connect", "icmp" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()
    lab:icmp { error = "port-unreachable", about = lab:connection(client) }
    lab:never(client, 0.05):call("poll"):returns(1)
    lab:expect(client):still_in_state "ESTABLISHED"

    lab:cut("kang > kodos")
    local gives_up_after = lab:timer("retransmission_timeout", client)
    client:type "anybody?\n"
    lab:expect(client):call("write"):returns(9)
    local lost = lab:expect_packet("kang > kodos", "tcp", { fate = "lost" })
    lab:icmp { error = "host-unreachable", about = lost }
    local patience = gives_up_after * 1.5 + 2 * lab.second
    lab:expect(client):within(patience):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "EHOSTUNREACH"
  end,
}
