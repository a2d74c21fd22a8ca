-- A laptop changes its network: the address that its connections are bound to is gone, the
-- connections are not. Nobody tells them.
return {
  title = "One's own address is removed",
  asks = "What happens to a connection when its local address is taken off the host?",
  source = "CATALOGUE; tcp(7), tcp_retries2",
  here = "An idle connection lives on. A write succeeds, and nothing leaves the host. The kernel "
    .. "gives up when tcp_retries2's time has passed, 925 s with the defaults: earlier than on a "
    .. "wire that is silent. IPv4 says ETIMEDOUT, IPv6 ENETUNREACH. Measured on Linux 6.18.",
  why = "A connection does not look at the host's addresses; only the route lookup for its next "
    .. "segment does, and fails with a source address that is gone. What could not be sent is not "
    .. "in flight: no retransmission timer runs but tcp_probe_timer(), which gives up after "
    .. "tcp_retries2 probes. inet6_csk_xmit() keeps the failed lookup as the soft error that "
    .. "tcp_write_err() reports; IPv4's ip_queue_xmit() keeps none.",
  tags = { "power", "address" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"

    kang:remove_address(kang:address())
    lab:idle(20 * lab.minute)
    lab:expect(client):still_in_state "ESTABLISHED"
    client:type "kodos, are you there?\n"
    local write = lab:expect(client):call("write"):returns(22)
    local limit = lab:timer("retransmission_limit", kang)
    lab:never_packet(limit / 2, "kang > kodos", "tcp")
    local dead = lab:expect(client):within(limit * 2):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails(lab.family == 4 and "ETIMEDOUT" or "ENETUNREACH")
    lab:expect_time(dead.t - write.t, limit, "giving up")
    lab:expect(kodos):still_in_state "ESTABLISHED"
  end,
}
