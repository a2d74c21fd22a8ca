-- The ICMP errors that end connect(2) do not end an established connection: routes flap, and
-- anybody can forge an ICMP error. But the kernel remembers the error and reports it when it gives
-- up.
return {
  title = "ICMP error in an established connection",
  asks = "What does an ICMP error do to an established connection?",
  source = "RFC 1122 section 4.2.3.9; RFC 5461 section 2.1",
  here = "Nothing at first, whether the error is soft (host-unreachable) or hard "
    .. "(port-unreachable). When the kernel gives up retransmitting, the program gets the last "
    .. "ICMP error, here EHOSTUNREACH, instead of ETIMEDOUT. Any Linux version.",
  why = "tcp_v4_err() in net/ipv4/tcp_ipv4.c stores the error in sk_err_soft, unless the program "
    .. "has set IP_RECVERR. tcp_write_err() in net/ipv4/tcp_timer.c reports that error first. RFC "
    .. "1122 says that hard errors should abort the connection; Linux does not do that.",
  tags = { "connect", "icmp" },

  run = function(lab)
    local client = lab:connected()
    lab:expect(client):call("poll"):is_entered()
    lab:icmp { error = "port-unreachable", about = lab:connection(client) }
    lab:never(client, 0.05):call("poll"):returns(1)
    lab:expect(client):still_in_state "ESTABLISHED"

    lab:cut("kang > kodos")
    local gives_up_after = lab:timer("r2", client)
    client:type "anybody?\n"
    lab:expect(client):call("write"):returns(9)
    local lost = lab:expect_packet("kang > kodos", "tcp", { fate = "lost" })
    lab:icmp { error = "host-unreachable", about = lost }
    local time_limit = gives_up_after * 1.5 + 2 * lab.second
    lab:expect(client):within(time_limit):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "EHOSTUNREACH"
  end,
}
