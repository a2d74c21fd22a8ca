-- A program connects to an address that names no single host. Linux treats the wildcard address as
-- this host, and refuses a TCP connection to a multicast address.
return {
  title = "Connect to wildcard and multicast addresses",
  asks = "What does connect return for the wildcard address and for a multicast address?",
  source = "RFC 1122 sections 3.2.1.3 and 4.2.3.10; connect(2), ENETUNREACH; ip(7)",
  here = "The wildcard address reaches this host: ECONNREFUSED, or the program that listens here. "
    .. "A multicast address fails with ENETUNREACH. Measured on Linux 6.18.",
  why = "tcp_v4_connect() replaces INADDR_ANY by the loopback address, as BSD did. It returns "
    .. "ENETUNREACH for a multicast or broadcast route. tcp_v6_connect() does the same for IPv6.",
  tags = { "connect", "address" },

  run = function(lab)
    local kang = lab:pair()
    local wildcard = lab.family == 4 and "0.0.0.0" or "::"
    local multicast = lab.family == 4 and "224.0.0.1" or "ff02::1"
    local client = kang:dnc("--repl")
    client:type("socket\n")
    client:type("connect " .. wildcard .. " 8080\nconnect " .. multicast .. " 8080\n")
    lab:expect(client):call("connect"):fails "ECONNREFUSED"
    lab:expect(client):call("connect"):fails "ENETUNREACH"

    kang:dnc("-l", 8080)
    client:type("connect " .. wildcard .. " 8080\n")
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):in_state "ESTABLISHED"
    lab:never_packet(0.1 * lab.second, "kang > *", "tcp")
  end,
}
