-- curl needs the address of its server, and the resolver fails in several ways.
local http = include "http.lib.lua"
local NAME = "db.example"
local ATTEMPTS = 2 -- by default: resolv.conf(5)

-- The C library asks again after `timeout` of resolv.conf(5): 1 s under fast timers, else 5 s.
local function patience(lab)
  return ATTEMPTS * (lab.timers == "fast" and 1 or 5)
end

local function get(kang, connect_timeout)
  return kang:run("curl", "-sS", "--connect-timeout", connect_timeout,
    "http://" .. NAME .. ":8080/")
end

return {
  title = "curl and a resolver that fails",
  asks = "What does curl do when the name of its server is slow to resolve, or does not?",
  source = "resolv.conf(5); curl(1), --connect-timeout; RFC 1035",
  tags = { "programs", "dns" },
  needs = { "program curl" },
  cases = {
    {
      name = "slow",
      title = "curl: the resolver takes half a second",
      here = "It connects half a second later. Measured on Linux 6.18 with curl 7.88.",
      why = "The reply comes before the timeout of the C library, so nothing is asked again. Users "
        .. "see a slow server, and its log shows a fast request.",
      run = function(lab, dns, kang, server)
        local SLOW = 0.5
        dns:slow(SLOW)
        local client = get(kang, 10)
        local query = lab:expect_packet("kang > krusty", "udp port 53")
        local syn = lab:expect_packet("kang > kodos", "SYN")
        lab:expect_time(syn.t - query.t, SLOW, "resolving the name")
        http.serve(lab, server, "hello\n")
        lab:expect(client):within(20):prints "hello"
        lab:expect(client):exits(0)
      end,
    },
    {
      name = "silent",
      title = "curl: the resolver does not reply",
      here = "After two queries it gives up, and exits with 6: it cannot resolve the host. It "
        .. "sends no SYN. Measured on Linux 6.18 with curl 7.88 and glibc 2.36.",
      why = "The C library asks twice, and waits 5 s for each reply (resolv.conf(5)); 1 s under "
        .. "fast timers. No packet tells it that the resolver is gone.",
      run = function(lab, dns, kang)
        dns:silent()
        local client = get(kang, 60)
        local query = lab:expect_packet("kang > krusty", "udp port 53")
        local ended = lab:expect(client):within(2 * patience(lab) + 20):exits(6)
        lab:expect_time(ended.t - query.t, patience(lab), "giving up")
        lab:expect(client):prints "Could not resolve host"
      end,
    },
    {
      name = "servfail",
      title = "curl: the resolver fails",
      here = "It gives up at once, and exits with 6. Measured on Linux 6.18 with curl 7.88 and "
        .. "glibc 2.36.",
      why = "SERVFAIL is a reply. The C library asks the next resolver, and there is none.",
      run = function(lab, dns, kang)
        dns:fails()
        local client = get(kang, 60)
        local query = lab:expect_packet("kang > krusty", "udp port 53")
        local ended = lab:expect(client):within(20):exits(6)
        lab:expect_between(ended.t - query.t, 0, patience(lab) / 2, "giving up")
      end,
    },
    {
      name = "connect-timeout",
      title = "curl: its own timeout ends while the name resolves",
      here = "It exits with 28 after --connect-timeout, which includes the time for the name. "
        .. "Measured on Linux 6.18 with curl 7.88.",
      why = "curl resolves names in a thread of its own, and its timer goes on meanwhile.",
      run = function(lab, dns, kang)
        local TIMEOUT = 0.5
        dns:silent()
        local client = get(kang, TIMEOUT)
        local query = lab:expect_packet("kang > krusty", "udp port 53")
        local ended = lab:expect(client):within(20):exits(28)
        lab:expect_time(ended.t - query.t, TIMEOUT, "giving up", { tolerance = 0.2 })
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos, krusty = lab:hosts { "kang", "kodos", "krusty" }
    local server = kodos:dnc("-l", 8080)
    local dns = lab:dns { on = krusty, [NAME] = kodos, ttl = 5 }
    case.run(lab, dns, kang, server)
  end,
}
