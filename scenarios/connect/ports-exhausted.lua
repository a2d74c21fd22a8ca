-- A connection is known by four numbers, and a client chooses only one of them, from a range that
-- a busy proxy can use up. The limit is per destination: to another port there is still room.
return {
  title = "Out of ports",
  asks = "What does connect return when every local port to a destination is in use?",
  source = "connect(2), EADDRNOTAVAIL; ip(7), ip_local_port_range; RFC 6056",
  here = "EADDRNOTAVAIL at once, and no SYN; another destination port works. With the default "
    .. "range that is after 28,232 connections. Any Linux.",
  why = "__inet_hash_connect() tries every port of ip_local_port_range; one is taken when the same "
    .. "four numbers are in the table of connections already, TIME_WAIT included.",
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
  end,
}
