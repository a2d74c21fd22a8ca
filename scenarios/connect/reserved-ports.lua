-- An operator keeps ports free for a service that starts later: ip_local_reserved_ports. It is
-- about ports that the kernel chooses; who asks for one by its number gets it.
return {
  title = "Reserved ports",
  asks = "Who gets a port that ip_local_reserved_ports names?",
  source = "Linux, Documentation/networking/ip-sysctl.rst, ip_local_reserved_ports; ip(7)",
  here = "Nobody by connect: with 4 ports of which 1 is reserved the fourth connection "
    .. "is EADDRNOTAVAIL. Whoever binds it by its number gets it. Linux, measured on 6.18.",
  why = "__inet_hash_connect() and inet_csk_find_open_port() pass over the ports that "
    .. "inet_is_local_reserved_port() names; inet_csk_get_port() does not ask where the program "
    .. "says which. IPv6 has no such setting of its own: the one of IPv4 is for both.",
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
      if lab:connection(client).local_port == 40001 then error "it was given out" end
    end
    local fourth = kang:dnc(kodos, 8080)
    lab:expect(fourth):call("connect"):fails "EADDRNOTAVAIL"
    local named = kang:dnc("-p", 40001, kodos, 8080)
    lab:expect(named):in_state "ESTABLISHED"
  end,
}
