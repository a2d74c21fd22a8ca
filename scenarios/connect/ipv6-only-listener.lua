-- A listener on the IPv6 wildcard address also accepts IPv4 clients, unless IPV6_V6ONLY is set. In
-- both cases ss shows the port in LISTEN, but with IPV6_V6ONLY an IPv4 client is refused.
return {
  title = "Listener for IPv6 only",
  asks = "Why is an IPv4 client refused although the server listens on the port?",
  source = "ipv6(7), IPV6_V6ONLY; RFC 3493 section 5.3; ip-sysctl, bindv6only",
  here = "Because the server's socket has IPV6_V6ONLY: connect fails with ECONNREFUSED. Without "
    .. "the option the connection is accepted, and the client's address is shown as "
    .. "::ffff:a.b.c.d. Any Linux version.",
  why = "compute_score() in net/ipv4/inet_hashtables.c skips sockets with IPV6_V6ONLY in the "
    .. "search for an IPv4 listener. It finds no listener, and the kernel answers the SYN with a "
    .. "RST.",
  tags = { "connect", "refused", "ipv6" },
  families = { 4 },

  run = function(lab)
    local kang, kodos = lab:pair()
    local ipv6_only = kodos:dnc("-6", "-l", 8080)
    lab:expect(kodos):listens(8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):call("connect"):fails "ECONNREFUSED"
    lab:expect(ipv6_only):still_runs()

    local both_families = kodos:dnc("-l", 8081)
    local second_client = kang:dnc(kodos, 8081)
    lab:expect(second_client):call("connect"):returns(0)
    lab:expect(both_families):in_state "ESTABLISHED"
  end,
}
