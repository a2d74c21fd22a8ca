-- The client's routing table has no route to the server. The host and its cable are fine, and
-- connect fails at once.
return {
  title = "No route to the host",
  asks = "What does connect(2) return if there is no route?",
  source = "ip-route(8); connect(2), ENETUNREACH; fib_lookup() in include/net/ip_fib.h",
  here = "ENETUNREACH at once; no frame leaves. Measured on Linux 6.18.",
  why = "tcp_v4_connect() and tcp_v6_connect() look up the route before they create the SYN and "
    .. "return the error of that lookup. No entry matches: ENETUNREACH.",
  tags = { "connect", "route" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    kang:route(kodos, "none")
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):call("connect"):fails "ENETUNREACH"
    lab:expect(kang):has_no_connection()
    lab:expect(kodos):has_no_connection()
    lab:never_packet(50 * lab.millisecond, "kang > *", "tcp")
  end,
}
