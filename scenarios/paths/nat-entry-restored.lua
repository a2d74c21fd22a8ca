-- NAT problems are hard to reproduce. If the inside writes first after the entry has expired, a
-- lenient NAT creates the same entry again, and the connection goes on.
local nat = include "nat.lib.lua"

return {
  title = "The NAT entry expires and is restored",
  asks = "Why does an idle connection through a NAT break only sometimes?",
  source = "nf_conntrack-sysctl, nf_conntrack_tcp_loose; RFC 5382 section 4.1",
  here = "It depends on which end writes first. If the inside does, the connection continues: the "
    .. "new entry gets the same outside port, unless another connection has taken it. If the "
    .. "outside does, it gets a RST (tcplab explain nat-entry-expired-outside-writes). Measured on "
    .. "Linux 6.18.",
  why = "With nf_conntrack_tcp_loose=1, the default, tcp_new() accepts a segment from the middle "
    .. "of a connection as its first. get_unique_tuple() keeps the source port if it is free.",
  tags = { "paths", "nat", "nft" },

  run = function(lab)
    local net = nat.network(lab)
    local client, server = lab:connect(net.kang, net.kodos)

    nat.wait_until_it_forgets(lab)
    client:type "still there?\n"
    lab:expect(server):prints "still there?"
    server:type "of course\n"
    lab:expect(client):prints "of course"
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
