-- A blackhole route drops forwarded packets silently, but a local program gets an error at once.
-- The errno, EINVAL, does not point to the routing table.
return {
  title = "Blackhole route",
  asks = "What does connect(2) return if the route's type is blackhole?",
  source = "ip-route(8), route types; connect(2); fib_props[] in net/ipv4/fib_semantics.c",
  here = "EINVAL at once; no frame leaves. Measured on Linux 6.18.",
  why = "tcp_v4_connect() and tcp_v6_connect() look up the route before they create the SYN and "
    .. "return the error of that lookup. For this type, fib_props[] has EINVAL on IPv4, and "
    .. "ip6_rt_type_to_error() returns it on IPv6.",
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
