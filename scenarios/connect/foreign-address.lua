-- An address that belongs to another host, or that this one lost with its interface or its lease,
-- is no name for a socket here.
return {
  title = "Bind to a foreign address",
  asks = "What does bind return for an address that this host does not have?",
  source = "bind(2), EADDRNOTAVAIL; ip(7), ip_nonlocal_bind",
  here = "EADDRNOTAVAIL. With ip_nonlocal_bind bind returns 0, and connect is refused a route: "
    .. "ENETUNREACH on IPv4. On IPv6 the SYN goes out, and the answer goes to the address's owner. "
    .. "Linux 6.18.",
  why = "inet_bind() looks the address up in the table of local addresses and refuses what it does "
    .. "not find, unless ip_nonlocal_bind (or IP_FREEBIND) says that it may come later. IPv4's "
    .. "routing asks once more whether the source is ours (ip_route_output_key_hash_rcu()), IPv6's "
    .. "does not.",
  tags = { "connect", "bind", "address" },

  run = function(lab)
    local kang, kodos, krusty = lab:hosts { "kang", "kodos", "krusty" }
    kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl")
    client:type("socket " .. lab.family .. "\n")
    client:type "bind krusty 1111\n"
    lab:expect(client):call("bind"):fails "EADDRNOTAVAIL"

    kang:sysctl("net.ipv" .. lab.family .. ".ip_nonlocal_bind", 1)
    client:type "nonblock on\nbind krusty 1111\nconnect kodos 8080\n"
    lab:expect(client):call("bind"):returns(0)
    if lab.family == 4 then
      lab:expect(client):call("connect"):fails "ENETUNREACH"
      return
    end
    lab:expect(client):call("connect"):fails "EINPROGRESS"
    lab:expect_packet("kodos > krusty", "tcp[tcpflags] == tcp-syn|tcp-ack")
    lab:expect_packet("krusty > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(krusty):has_no_connection()
  end,
}
