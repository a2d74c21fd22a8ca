-- A listener on the IPv6 wildcard address also takes the port for IPv4. A second server for IPv4
-- cannot bind the port, although no IPv4 socket uses it.
return {
  title = "IPv4 and IPv6 listeners on one port",
  asks = "Can one server listen for IPv4 and another for IPv6 on the same port?",
  source = "ipv6(7), IPV6_V6ONLY; RFC 3493 section 5.3; bind(2), EADDRINUSE",
  here = "Only if the IPv6 server sets IPV6_V6ONLY. Otherwise the IPv4 server's bind fails with "
    .. "EADDRINUSE. Any Linux version.",
  why = "inet_csk_bind_conflict() compares addresses with inet_rcv_saddr_equal(). The IPv6 "
    .. "wildcard without IPV6_V6ONLY matches every IPv4 address.",
  tags = { "connect", "bind", "ipv6" },

  run = function(lab)
    local kang = lab:pair()
    local function bind(family, port, option)
      local program = kang:dnc("--repl")
      program:type("socket " .. family .. "\n" .. (option or ""))
      program:type("setsockopt SO_REUSEADDR on\nbind " .. port .. "\nlisten\n")
      return program
    end
    lab:expect(bind(6, 8080)):call("listen"):returns(0)
    lab:expect(bind(4, 8080)):call("bind"):fails "EADDRINUSE"
    lab:expect(bind(6, 8081, "setsockopt IPV6_V6ONLY on\n")):call("listen"):returns(0)
    lab:expect(bind(4, 8081)):call("listen"):returns(0)
  end,
}
