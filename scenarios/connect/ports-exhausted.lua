-- A connection is known by four numbers, and a client chooses only one of them, from a range that
-- a busy proxy can use up. The limit is per destination: to another port there is still room.
return {
  title = "Out of ports",
  asks = "What does connect return when every local port to a destination is in use?",
  source = "connect(2), EADDRNOTAVAIL; ip(7), ip_local_port_range; RFC 6056",
  here = "EADDRNOTAVAIL at once, and no SYN; another destination port works. With the default "
    .. "range that is after 28,232 connections. Of a range of three ports only two are given "
    .. "out. Linux, measured on 6.18.",
  why = "__inet_hash_connect() goes through ip_local_port_range in steps of 2, first the ports of "
    .. "the lower end's parity, for bind(2) begins with the others. One is taken when the same "
    .. "four numbers are in the table of connections already, TIME_WAIT included. An odd size is "
    .. "made even (remaining &= ~1U): so each attempt leaves one port out, which with three ports "
    .. "is always the last, and with more the first or the last, by chance.",
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
      if lab:connection(client).local_port == 40002 then error "40002 was given out" end
    end
    local odd_one_out = kang:dnc(kodos, 8082)
    lab:expect(odd_one_out):call("connect"):fails "EADDRNOTAVAIL"
  end,
}
