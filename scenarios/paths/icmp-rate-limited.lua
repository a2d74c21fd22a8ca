-- A host limits the rate of ICMP errors to each address. If a firewall rejects with ICMP, a
-- client's first six connects fail at once, and the next one hangs.
return {
  title = "ICMP errors are rate-limited",
  asks = "Why does a firewall that rejects refuse some connects at once and let others hang?",
  source = "ip-sysctl, icmp_ratelimit (IPv4) and icmp/ratelimit (IPv6); RFC 1812 section 4.3.2.8; "
    .. "RFC 4443 section 2.4",
  here = "Because its ICMP errors are rate-limited. It sends each address six at once, then one "
    .. "per icmp_ratelimit (1 s by default; 10 s or more here). The seventh connect gets no error "
    .. "and fails with ETIMEDOUT. Measured on Linux 6.18.",
  why = "inet_peer_xrlim_allow() keeps a token bucket for each address, with a burst of "
    .. "XRLIM_BURST_FACTOR, 6. RSTs have no such limit: a firewall that rejects with tcp reset "
    .. "answers every SYN.",
  tags = { "paths", "router", "icmp", "firewall", "connect" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
    }
    net.gateway:nft [[
      table inet filter {
        chain forward {
          type filter hook forward priority filter;
          tcp dport 8080 reject with icmpx admin-prohibited
        }
      }
    ]]
    local function set_rate_limit(seconds)
      net.gateway:sysctl(
        lab.family == 4 and "net.ipv4.icmp_ratelimit" or "net.ipv6.icmp.ratelimit", 1000 * seconds)
    end
    set_rate_limit(10) -- no new tokens during the six connects
    local refusal = lab.family == 4 and "icmp[0] = 3" or "icmp6 and ip6[40] = 1"
    local burst = 6
    for _ = 1, burst do
      local client = net.kang:dnc(net.kodos, 8080)
      lab:expect_packet("gateway > kang", refusal)
      lab:expect(client):call("connect"):fails(lab.family == 4 and "EHOSTUNREACH" or "EACCES")
    end

    set_rate_limit(3600) -- none while connect waits, even with stock timers
    local seventh = net.kang:dnc(net.kodos, 8080)
    local patience = lab:timer("syn_r2", net.kang)
    local connect = lab:expect(seventh):within(2 * patience):call("connect"):fails "ETIMEDOUT"
    lab:expect_time(connect.t - connect.entered, patience, "giving up")
  end,
}
