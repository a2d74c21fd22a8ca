-- A route may say in advance what a router would have said: the host cannot be reached.
return {
  title = "An unreachable route",
  asks = "What does connect(2) say when the route's type is `unreachable`?",
  source = "ip-route(8), types of routes; connect(2); CATALOGUE",
  here = "EHOSTUNREACH at once, and nothing is on the wire. Measured on Linux 6.18.",
  why = "tcp_v4_connect() and tcp_v6_connect() look the route up before the SYN is made, and give "
    .. "the lookup's error to the program; fib_props[] has EHOSTUNREACH for this type.",
  tags = { "connect", "route" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    kang:route(kodos, "unreachable")
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):call("connect"):fails "EHOSTUNREACH"
    lab:expect(kang):has_no_connection()
    lab:expect(kodos):has_no_connection()
    lab:never_packet(50 * lab.millisecond, "kang > *", "tcp")
  end,
}
