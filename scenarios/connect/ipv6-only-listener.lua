-- A listener on the IPv6 wildcard takes IPv4 clients, too, unless it was told not to. ss shows the
-- port in LISTEN either way, and the client is refused.
return {
  title = "Listening, but for IPv6 only",
  asks = "Why is an IPv4 client refused although the server listens on the port?",
  source = "ipv6(7), IPV6_V6ONLY; RFC 3493 section 5.3; ip-sysctl, bindv6only",
  here = "ECONNREFUSED with IPV6_V6ONLY; without it the connection is accepted, and shows the "
    .. "client's address as ::ffff:a.b.c.d. Any Linux.",
  why = "compute_score() in net/ipv4/inet_hashtables.c leaves sockets with IPV6_V6ONLY out when it "
    .. "looks for a listener on IPv4; then nobody listens, and the SYN is answered with RST.",
  tags = { "connect", "refused", "ipv6" },
  families = { 4 },

  run = function(lab)
    local kang, kodos = lab:pair()
    local narrow = kodos:dnc("-6", "-l", 8080)
    lab:expect(kodos):listens(8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):call("connect"):fails "ECONNREFUSED"
    lab:expect(narrow):still_runs()

    local wide = kodos:dnc("-l", 8081)
    local again = kang:dnc(kodos, 8081)
    lab:expect(again):call("connect"):returns(0)
    lab:expect(wide):in_state "ESTABLISHED"
  end,
}
