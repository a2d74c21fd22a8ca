-- Keepalive probes keep an idle connection alive through a NAT if they come before the NAT's entry
-- expires. Linux's default, two hours, is soon enough for the limit of RFC 5382, but too late for
-- most NATs.
local nat = include "nat.lib.lua"

return {
  title = "Keepalive below the NAT's timeout",
  asks = "Does keepalive keep an idle connection alive through a NAT that drops idle entries?",
  source = "RFC 5382 section 5; tcp(7), TCP_KEEPIDLE",
  here = "Yes, if probes come more often than the entry expires: each probe and each answer "
    .. "restarts the entry's timeout. A short tcp_keepalive_time alone is not enough: the second "
    .. "probe comes tcp_keepalive_intvl (75 s) after the first. Measured on Linux 6.18.",
  why = "nf_conntrack_tcp_packet() refreshes the entry's timeout for every segment of the "
    .. "connection. After a probe, tcp_keepalive_timer() waits for tcp_keepalive_intvl, whether "
    .. "the probe is answered or not. Only then does it check how long the connection has been "
    .. "idle.",
  tags = { "paths", "nat", "nft", "keepalive" },

  run = function(lab)
    local net = nat.network(lab, {
      forgets_after = 3,
      sysctls = {
        ["net.ipv4.tcp_keepalive_time"] = 1,
        ["net.ipv4.tcp_keepalive_intvl"] = 1,
      },
    })
    local client, server = lab:connect(net.kang, net.kodos, { client = { "--keepalive", "//" } })

    nat.wait_until_it_forgets(lab)
    server:type "still there?\n"
    lab:expect(client):prints "still there?"
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
