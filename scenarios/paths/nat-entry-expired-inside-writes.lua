-- A NAT drops the entry of an idle connection, and then the host behind it writes first. This NAT
-- is strict: it drops segments of connections that it does not know.
local expect_give_up = include "gives_up.lib.lua"
local nat = include "nat.lib.lua"

return {
  title = "The NAT entry expires, and the inside writes",
  asks = "What does a host behind a NAT see when the entry of its idle connection has expired?",
  source = "nf_conntrack-sysctl, nf_conntrack_tcp_loose, nf_conntrack_tcp_timeout_established",
  here = "ETIMEDOUT, as if the peer were off. The NAT has nf_conntrack_tcp_loose=0 and drops "
    .. "invalid segments. With nf_conntrack_tcp_loose=1 Linux creates a new entry with the same "
    .. "port, and the connection goes on: see tcplab explain nat-entry-restored.",
  why = "In strict mode tcp_new() accepts only a SYN as the first packet of a connection. The "
    .. "segment belongs to no connection, so it is not translated, and the ruleset drops it.",
  tags = { "paths", "nat", "nft" },

  run = function(lab)
    local net = nat.network(lab)
    net.gateway:nft [[
      table inet strict {
        chain forward { type filter hook forward priority filter; ct state invalid drop; }
      }
    ]]
    net.gateway:sysctl("net.netfilter.nf_conntrack_tcp_loose", 0)
    local client, server = lab:connect(net.kang, net.kodos)

    nat.wait_until_it_forgets(lab)
    client:type "kodos, are you there?\n"
    local write = lab:expect(client):call("write"):returns(22)
    expect_give_up(lab, client, net.kang, write)
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
