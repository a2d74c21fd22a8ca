-- Routers and firewalls answer a SYN with an ICMP error. connect(2) turns each error into an errno,
-- and for some errors IPv4 and IPv6 give different ones.
return {
  title = "ICMP errors in answer to a SYN",
  asks = "Which errno does connect(2) give for which ICMP error?",
  source = "RFC 1122 section 4.2.3.9; RFC 5461 section 3; icmp(7)",
  here = "Each error ends connect at once. On IPv4, net-unreachable gives ENETUNREACH; "
    .. "host-unreachable, admin-prohibited and time-exceeded give EHOSTUNREACH; "
    .. "protocol-unreachable gives ENOPROTOOPT; port-unreachable gives ECONNREFUSED. IPv6 differs "
    .. "for two: protocol-unreachable gives EPROTO, and admin-prohibited gives EACCES. Any Linux "
    .. "version.",
  why = "The tables are icmp_err_convert in net/ipv4/icmp.c and tab_unreach in net/ipv6/icmp.c. "
    .. "RFC 1122 forbids a host to abort a connection because of a soft error (net, host). Linux "
    .. "follows this only for established connections; in SYN_SENT, tcp_v4_err() ends the attempt. "
    .. "RFC 5461 section 4 gives the reasons.",
  tags = { "connect", "icmp" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local ipv4 = {
      { "net-unreachable", "ENETUNREACH" },
      { "host-unreachable", "EHOSTUNREACH" },
      { "protocol-unreachable", "ENOPROTOOPT" },
      { "port-unreachable", "ECONNREFUSED" },
      { "admin-prohibited", "EHOSTUNREACH" },
      { "time-exceeded", "EHOSTUNREACH" },
    }
    local ipv6 = {
      { "net-unreachable", "ENETUNREACH" },
      { "host-unreachable", "EHOSTUNREACH" },
      { "protocol-unreachable", "EPROTO" },
      { "port-unreachable", "ECONNREFUSED" },
      { "admin-prohibited", "EACCES" },
      { "time-exceeded", "EHOSTUNREACH" },
    }
    local router = lab.family == 4 and "10.0.0.254" or "fd00::254"
    lab:cut("kang > kodos", "tcp")
    for _, answer in ipairs(lab.family == 4 and ipv4 or ipv6) do
      local error, errno = answer[1], answer[2]
      local client = kang:dnc(kodos, 8080)
      lab:expect(client):in_state "SYN_SENT"
      lab:icmp { error = error, about = lab:connection(client), from = router }
      lab:say("ICMP error: " .. error)
      lab:expect(client):call("connect"):fails(errno)
      lab:expect(client):in_state "CLOSED"
    end
  end,
}
