-- A black hole on one's own host is not silent at all: for those who live there it is an error.
return {
  title = "A route into a black hole",
  asks = "What does connect(2) say when the route's type is `blackhole`?",
  source = "ip-route(8), types of routes; connect(2); CATALOGUE",
  here = "EINVAL at once, and nothing is on the wire. Measured on Linux 6.18.",
  why = "tcp_v4_connect() and tcp_v6_connect() look the route up before the SYN is made, and give "
    .. "the lookup's error to the program; fib_props[] has EINVAL for this type, which says "
    .. "nothing to anybody. What the host only forwards is dropped in silence.",
  tags = { "connect", "route" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    kang:route(kodos, "blackhole")
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):call("connect"):fails "EINVAL"
    lab:expect(kang):has_no_connection()
    lab:expect(kodos):has_no_connection()
    lab:never_packet(50 * lab.millisecond, "kang > *", "tcp")
  end,
}
