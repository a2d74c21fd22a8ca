-- A client has used every ephemeral port to one destination, as a busy proxy may. connect fails at
-- once. The limit is per destination: connections to another port still work.
return {
  title = "Ephemeral ports exhausted",
  asks = "What does connect return when every local port to a destination is in use?",
  source = "connect(2), EADDRNOTAVAIL; ip(7), ip_local_port_range; RFC 6056",
  here = "EADDRNOTAVAIL at once, without a SYN; another destination port works. With the default "
    .. "range this happens after 28,232 connections. The kernel uses only two ports of a range of "
    .. "three. Measured on Linux 6.18.",
  why = "__inet_hash_connect() tries the ports of ip_local_port_range in steps of 2. It starts "
    .. "with those of the same parity as the lower end; bind(2) starts with the others. A port is "
    .. "taken if the table of connections, TIME_WAIT included, already has the same 4-tuple. The "
    .. "kernel makes an odd range size even (remaining &= ~1U), so each attempt leaves out one "
    .. "port. With three ports this is always the last; with more it is the first or the last, at "
    .. "random.",
  tags = { "connect", "ports" },

  run = function(lab)
    local kang, kodos = lab:pair {
      sysctls = { ["net.ipv4.ip_local_port_range"] = "40000 40001" },
    }
    kodos:dnc("-k", "-l", 8080)
    kodos:dnc("-k", "-l", 8081)
    local first = kang:dnc(kodos, 8080)
    local second = kang:dnc(kodos, 8080)
    lab:expect(first):in_state "ESTABLISHED"
    lab:expect(second):in_state "ESTABLISHED"

    local third = kang:dnc(kodos, 8080)
    lab:expect(third):call("connect"):fails "EADDRNOTAVAIL"
    lab:expect(third):exits(1)
    local elsewhere = kang:dnc(kodos, 8081)
    lab:expect(elsewhere):call("connect"):returns(0)

    kang:sysctl("net.ipv4.ip_local_port_range", "40000 40002")
    kodos:dnc("-k", "-l", 8082)
    for _ = 1, 2 do
      local client = kang:dnc(kodos, 8082)
      lab:expect(client):in_state "ESTABLISHED"
      lab:check(lab:connection(client).local_port ~= 40002, "port 40002 is not given out")
    end
    local no_port_left = kang:dnc(kodos, 8082)
    lab:expect(no_port_left):call("connect"):fails "EADDRNOTAVAIL"
  end,
}
