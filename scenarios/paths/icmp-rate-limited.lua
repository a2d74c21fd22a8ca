-- A firewall that rejects is polite to the first six. ICMP errors are rationed, for each host that
-- they go to: a client with many connections gets its refusal at once, or not at all.
return {
  title = "ICMP errors are rationed",
  asks = "Why does a firewall that rejects refuse some connects at once, and let others hang?",
  source = "ip-sysctl, icmp_ratelimit; icmp/ratelimit of IPv6; RFC 1812 section 4.3.2.8; RFC 4443 "
    .. "section 2.4",
  here = "Six errors for one address, then one for each icmp_ratelimit (1 s; 10 s here): the "
    .. "seventh connect is not told, and ends with ETIMEDOUT. Measured on Linux 6.18.",
  why = "inet_peer_xrlim_allow() keeps a token bucket for each address, of XRLIM_BURST_FACTOR, 6. "
    .. "RST is not rationed so: a firewall that rejects with tcp reset answers each SYN.",
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
    local function ration(seconds)
      net.gateway:sysctl(
        lab.family == 4 and "net.ipv4.icmp_ratelimit" or "net.ipv6.icmp.ratelimit", 1000 * seconds)
    end
    ration(10) -- none is earned while this lasts
    local refusal = lab.family == 4 and "icmp[0] = 3" or "icmp6 and ip6[40] = 1"
    local burst = 6
    for _ = 1, burst do
      local client = net.kang:dnc(net.kodos, 8080)
      lab:expect_packet("gateway > kang", refusal)
      lab:expect(client):call("connect"):fails(lab.family == 4 and "EHOSTUNREACH" or "EACCES")
    end

    ration(3600) -- nor with the kernel's own timers, while connect waits
    local seventh = net.kang:dnc(net.kodos, 8080)
    local patience = lab:timer("connect_timeout", net.kang)
    local connect = lab:expect(seventh):within(2 * patience):call("connect"):fails "ETIMEDOUT"
    lab:expect_time(connect.t - connect.entered, patience, "giving up")
  end,
}
