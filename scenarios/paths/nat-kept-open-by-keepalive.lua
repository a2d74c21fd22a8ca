-- What keeps an idle connection alive through a NAT: a probe now and then, sooner than the NAT
-- forgets. Linux's own default, two hours, is sooner than RFC 5382's limit, and later than most.
return {
  title = "Keepalive below the NAT's limit",
  asks = "Does keepalive keep an idle connection alive through a NAT that forgets?",
  source = "RFC 5382 section 5; tcp(7), TCP_KEEPIDLE; CATALOGUE",
  here = "It does, when the idle time of the probes is shorter than the NAT's: each probe and its "
    .. "answer begin the entry's time anew.",
  why = "nf_conntrack_tcp_packet() refreshes the entry's timeout for every segment of the "
    .. "connection; tcp_keepalive_timer() sends one every tcp_keepalive_time while it is answered.",
  tags = { "paths", "nat", "nft", "keepalive" },

  run = function(lab)
    local net = lab:network {
      links = { lan = { hidden = true }, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
      sysctls = { ["net.ipv4.tcp_keepalive_time"] = 1 },
    }
    net.gateway:nft [[
      table inet nat {
        chain out { type nat hook postrouting priority srcnat; oifname "eth1" masquerade; }
      }
    ]]
    local timeout = "net.netfilter.nf_conntrack_tcp_timeout_established"
    net.gateway:sysctl(timeout, 3)
    local server = net.kodos:dnc("-l", 8080)
    local client = net.kang:dnc("--keepalive", "//", net.kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    lab:wait(tonumber(net.gateway:sysctl(timeout)) * 1.5)
    server:type "still there?\n"
    lab:expect(client):prints "still there?"
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
