-- A network card that is taken down and up again, as by a restart of whatever configures it. The
-- routes go with it and come back; the connection is asked nothing.
return {
  title = "One's own link goes down, and comes back",
  asks = "Does a connection live through a restart of the host's network?",
  source = "CATALOGUE; tcp(7)",
  here = "It does, if the address, the link and the routes are back before tcp_retries2's time has "
    .. "passed: the next probe of the timer sends what is waiting. Measured on Linux 6.18.",
  why = "A connection holds no link and no route, only a cached lookup, which is made again when "
    .. "it is stale (__sk_dst_check()). What could not be sent waits for tcp_probe_timer(), and "
    .. "nothing that happens to the link wakes it earlier.",
  tags = { "power", "link", "router" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
    }
    local server = net.kodos:dnc("-l", 8080)
    local client = net.kang:dnc(net.kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    net.kang:link("lan", "down")
    client:type "kodos, are you there?\n"
    lab:expect(client):call("write"):returns(22)
    lab:never_packet(100 * lab.millisecond, "kang > gateway", "tcp")
    net.kang:link("lan", "up")
    lab:expect(server):prints "kodos, are you there?"
    lab:expect(client):still_in_state "ESTABLISHED"
    server:type "yes\n"
    lab:expect(client):prints "yes"
  end,
}
