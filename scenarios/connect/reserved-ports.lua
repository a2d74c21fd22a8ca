-- An administrator reserves ports with ip_local_reserved_ports for a service that starts later. The
-- kernel then does not choose them for connect, but a program can still bind one by its number.
return {
  title = "Reserved ports",
  asks = "Who can use a port listed in ip_local_reserved_ports?",
  source = "ip-sysctl, ip_local_reserved_ports; ip(7)",
  here = "Only a program that binds the port by its number. connect never chooses it: with 4 "
    .. "ports, 1 of them reserved, the fourth connect fails with EADDRNOTAVAIL. Measured on Linux "
    .. "6.18.",
  why = "__inet_hash_connect() and inet_csk_find_open_port() skip the ports that "
    .. "inet_is_local_reserved_port() reports. inet_csk_get_port() does not check it if the "
    .. "program names the port. IPv6 has no setting of its own: the IPv4 sysctl applies to both.",
  tags = { "connect", "ports" },

  run = function(lab)
    local kang, kodos = lab:pair {
      sysctls = {
        ["net.ipv4.ip_local_port_range"] = "40000 40003",
        ["net.ipv4.ip_local_reserved_ports"] = "40001",
      },
    }
    kodos:dnc("-k", "-l", 8080)
    for _ = 1, 3 do
      local client = kang:dnc(kodos, 8080)
      lab:expect(client):in_state "ESTABLISHED"
      lab:check(lab:connection(client).local_port ~= 40001, "the reserved port is not used")
    end
    local fourth = kang:dnc(kodos, 8080)
    lab:expect(fourth):call("connect"):fails "EADDRNOTAVAIL"
    local named = kang:dnc("-p", 40001, kodos, 8080)
    lab:expect(named):in_state "ESTABLISHED"
  end,
}
