-- The client's routing table refuses the server. connect fails at once, without a frame, and the
-- errno depends on the type of the route: it may point to the routing table, to a firewall or to
-- the network, or, for a blackhole, to nothing.
local lookup = "tcp_v4_connect() and tcp_v6_connect() look up the route before they create the SYN "
  .. "and return the error of that lookup. "

--- A route of ip-route(8), whose error is in a table of each family.
local function route(name, kind, errno, title, manual)
  return {
    name = name,
    kind = kind,
    errno = errno,
    title = title,
    asks = "What does connect(2) return if the route's type is " .. kind .. "?",
    source = "ip-route(8), route types; " .. manual .. "; fib_props[] in net/ipv4/fib_semantics.c",
    here = errno .. " at once; no frame leaves. Measured on Linux 6.18.",
    why = lookup .. "For this type, fib_props[] has " .. errno .. " on IPv4, and "
      .. "ip6_rt_type_to_error() returns it on IPv6.",
  }
end

return {
  title = "A route that refuses",
  asks = "What does connect(2) return if the routing table refuses the destination?",
  source = "ip-route(8), route types; connect(2); fib_props[] in net/ipv4/fib_semantics.c",
  here = "An error at once; no frame leaves. Measured on Linux 6.18.",
  why = lookup,
  tags = { "connect", "route" },
  cases = {
    route("blackhole", "blackhole", "EINVAL", "Blackhole route", "connect(2)"),
    route("prohibited", "prohibit", "EACCES", "Prohibit route", "connect(2), EACCES"),
    route("unreachable", "unreachable", "EHOSTUNREACH", "Unreachable route", "connect(2)"),
    {
      name = "none",
      kind = "none",
      errno = "ENETUNREACH",
      title = "No route to the host",
      asks = "What does connect(2) return if there is no route?",
      source = "ip-route(8); connect(2), ENETUNREACH; fib_lookup() in include/net/ip_fib.h",
      here = "ENETUNREACH at once; no frame leaves. Measured on Linux 6.18.",
      why = lookup .. "No entry matches: ENETUNREACH.",
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    kang:route(kodos, case.kind)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):call("connect"):fails(case.errno)
    lab:expect(kang):has_no_connection()
    lab:expect(kodos):has_no_connection()
    lab:never_packet(50 * lab.millisecond, "kang > *", "tcp")
  end,
}
