-- A socket is of one family from the beginning; an address of the other is no address to it. What
-- it says depends on which way round the mistake is.
return {
  title = "An address of the other family",
  asks = "What does connect return for an address of the other Internet Protocol?",
  source = "connect(2), EAFNOSUPPORT; ip(7); ipv6(7)",
  here = "IPv4 socket, IPv6 address: EAFNOSUPPORT. IPv6 socket, IPv4 address: EINVAL. The socket "
    .. "stays usable. Any Linux.",
  why = "tcp_v4_connect() looks at the family. tcp_v6_connect() first asks whether the address is "
    .. "long enough for an IPv6 one (SIN6_LEN_RFC2133), which an IPv4 one is not.",
  tags = { "connect", "address", "ipv6" },

  run = function(lab)
    local kang = lab:pair()
    local other = lab.family == 4 and 6 or 4
    local program = kang:dnc("--repl")
    program:type("socket " .. other .. "\n")
    program:type("connect " .. (other == 4 and "127.0.0.1" or "::1") .. " 8080\n")
    lab:expect(program):call("connect"):fails "ECONNREFUSED"

    program:type("socket " .. lab.family .. "\nconnect\n")
    lab:expect(program):call("connect"):fails(lab.family == 4 and "EAFNOSUPPORT" or "EINVAL")
    program:type "connect kodos 8080\n"
    lab:expect(program):call("connect"):fails "ECONNREFUSED"
  end,
}
