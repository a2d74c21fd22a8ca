-- A network card goes down and up again, as when a network service restarts. Its routes go and come
-- back with it. The connection survives, and waiting data is sent a little later.
return {
  title = "Local network card down and up",
  asks = "Does a connection survive a restart of the host's network?",
  source = "RFC 9293 section 3.8.3; tcp(7), tcp_retries2; __sk_dst_check()",
  here = "Yes, if the address, the link and the routes are back within the time that tcp_retries2 "
    .. "allows. The next probe timer sends the waiting data. Measured on Linux 6.18.",
  why = "A connection holds no link and no route, only a cached route lookup. The kernel repeats "
    .. "the lookup when it is stale (__sk_dst_check()). Data that could not be sent waits for "
    .. "tcp_probe_timer(), and the return of the link does not trigger it earlier.",
  tags = { "power", "link", "router" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
      sysctls = { ["net.ipv4.tcp_retries2"] = "15" }, -- Linux's default, on a slow machine too
    }
    local client, server = lab:connect(net.kang, net.kodos)

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
