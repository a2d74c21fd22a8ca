-- The machine is well, its cable too; only the line in the routing table is missing.
return {
  title = "No route to the host",
  asks = "What does connect(2) say when there is no route?",
  source = "ip-route(8), types of routes; connect(2); CATALOGUE",
  here = "ENETUNREACH at once, and nothing is on the wire. Measured on Linux 6.18.",
  why = "tcp_v4_connect() and tcp_v6_connect() look the route up before the SYN is made, and give "
    .. "the lookup's error to the program: no entry matches, ENETUNREACH.",
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
