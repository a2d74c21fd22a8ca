-- A service moves to another host: its name gets another address. A cache has the old one.
local http = include "http.lib.lua"
local NAME = "db.example"
local CONNECT_TIMEOUT = 1

local function get(kang)
  return kang:run("curl", "-sS", "--connect-timeout", CONNECT_TIMEOUT,
    "http://" .. NAME .. ":8080/")
end

return {
  title = "Failover by DNS, and a stale answer",
  asks = "Does a client reach the standby when the name of the service points to it?",
  source = "RFC 1034, section 4.3.5; RFC 8767; curl(1), --connect-timeout",
  here = "Not while its resolver has the old answer: curl connects to the host without power, and "
    .. "exits with 28. Then it reaches the standby. Measured on Linux 6.18 with curl 7.88.",
  why = "A resolver may keep an answer until its TTL is over, and some keep it for longer. A "
    .. "failover by DNS is not over before the last cache has forgotten the old address.",
  tags = { "programs", "power", "dns" },
  needs = { "program curl" },

  run = function(lab)
    local kang, kodos, krusty, resolver = lab:hosts { "kang", "kodos", "krusty", "resolver" }
    local dns = lab:dns { on = resolver, [NAME] = kodos, ttl = 5 }
    local primary = kodos:dnc("-l", 8080)
    local standby = krusty:dnc("-l", 8080)
    local first = get(kang)
    http.serve(lab, primary, "from the primary\n")
    lab:expect(first):within(20):prints "from the primary"

    kodos:power_off()
    dns:stale():set(NAME, krusty)
    local stale = get(kang)
    lab:expect_packet("kang > kodos", "SYN", { fate = "lost" })
    lab:expect(stale):within(20):exits(28)
    lab:never_packet(0.1, "kang > krusty", "SYN")

    dns:works()
    local fresh = get(kang)
    http.serve(lab, standby, "from the standby\n")
    lab:expect(fresh):within(20):prints "from the standby"
    lab:expect(fresh):exits(0)
  end,
}
