-- A program binds to an address that its host does not have: it belongs to another host, or the
-- host lost it with an interface or a DHCP lease. bind fails, unless ip_nonlocal_bind allows it.
return {
  title = "Bind to another host's address",
  asks = "What does bind return for an address that this host does not have?",
  source = "bind(2), EADDRNOTAVAIL; ip(7), ip_nonlocal_bind",
  here = "EADDRNOTAVAIL. With ip_nonlocal_bind, bind returns 0. On IPv4, connect then fails with "
    .. "ENETUNREACH. On IPv6, the SYN goes out, and the SYN/ACK goes to the owner of the address. "
    .. "Measured on Linux 6.18.",
  why = "inet_bind() looks for the address among the local addresses and fails if it is not there. "
    .. "ip_nonlocal_bind (or IP_FREEBIND) skips this check. IPv4 routing checks the source address "
    .. "again (ip_route_output_key_hash_rcu()); IPv6 routing does not.",
  tags = { "connect", "bind", "address" },

  run = function(lab)
    local kang, kodos, krusty = lab:hosts { "kang", "kodos", "krusty" }
    kodos:dnc("-l", 8080)
    local client = kang:dnc("--repl")
    client:type("socket\n")
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
    lab:expect_packet("kodos > krusty", "SYN ACK")
    lab:expect_packet("krusty > kodos", "RST")
    lab:expect(client):in_state "SYN_SENT"
    lab:expect(krusty):has_no_connection()
  end,
}
