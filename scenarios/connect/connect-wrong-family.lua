-- A program connects a socket of one family to an address of the other. The errno depends on the
-- direction of the mistake.
return {
  title = "Address of the other family",
  asks = "What does connect return for an address of the other IP version?",
  source = "connect(2), EAFNOSUPPORT; ip(7); ipv6(7)",
  here = "IPv4 socket and IPv6 address: EAFNOSUPPORT. IPv6 socket and IPv4 address: EINVAL. The "
    .. "socket remains usable. Any Linux version.",
  why = "tcp_v4_connect() checks the family. tcp_v6_connect() first checks that the address is "
    .. "long enough for IPv6 (SIN6_LEN_RFC2133); an IPv4 address is too short.",
  tags = { "connect", "address", "ipv6" },

  run = function(lab)
    local kang = lab:pair()
    local other = lab.family == 4 and 6 or 4
    local program = kang:dnc("--repl")
    program:type("socket " .. other .. "\n")
    program:type("connect " .. (other == 4 and "127.0.0.1" or "::1") .. " 8080\n")
    lab:expect(program):call("connect"):fails "ECONNREFUSED"

    program:type("socket\nconnect\n")
    lab:expect(program):call("connect"):fails(lab.family == 4 and "EAFNOSUPPORT" or "EINVAL")
    program:type "connect kodos 8080\n"
    lab:expect(program):call("connect"):fails "ECONNREFUSED"
  end,
}
