-- What makes the trouble with NATs so hard to reproduce: when the inside speaks first after the
-- entry is gone, a lenient NAT makes the same entry again, and nobody has noticed anything.
return {
  title = "The NAT entry idles out, and comes back",
  asks = "Why does an idle connection through a NAT break at times, and at times not?",
  source = "nf_conntrack-sysctl, nf_conntrack_tcp_loose; RFC 5382 section 4.1",
  here = "When the inside writes first, the connection goes on: the new entry has the same outside "
    .. "port, as long as no other connection has taken it. Measured on Linux 6.18.",
  why = "With nf_conntrack_tcp_loose=1, the default, tcp_new() takes a segment in the middle of a "
    .. "connection as its beginning; get_unique_tuple() keeps the source port where it is free.",
  tags = { "paths", "nat", "nft" },

  run = function(lab)
    local net = lab:network {
      links = { lan = { hidden = true }, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
    }
    net.gateway:nft [[
      table inet nat {
        chain out { type nat hook postrouting priority srcnat; oifname "eth1" masquerade; }
      }
    ]]
    local timeout = "net.netfilter.nf_conntrack_tcp_timeout_established"
    net.gateway:sysctl(timeout, 1)
    local server = net.kodos:dnc("-l", 8080)
    local client = net.kang:dnc(net.kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    lab:wait(tonumber(net.gateway:sysctl(timeout)) * 1.5)
    client:type "still there?\n"
    lab:expect(server):prints "still there?"
    server:type "of course\n"
    lab:expect(client):prints "of course"
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
