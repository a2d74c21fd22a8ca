-- A NAT drops the entry of an idle connection, and then the host behind it writes first. This NAT
-- is strict: it drops segments of connections that it does not know.
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
    local net = lab:network {
      links = { lan = { hidden = true }, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
    }
    net.gateway:nft [[
      table inet nat {
        chain forward { type filter hook forward priority filter; ct state invalid drop; }
        chain out { type nat hook postrouting priority srcnat; oifname "eth1" masquerade; }
      }
    ]]
    local timeout = "net.netfilter.nf_conntrack_tcp_timeout_established"
    net.gateway:sysctl(timeout, 1)
    net.gateway:sysctl("net.netfilter.nf_conntrack_tcp_loose", 0)
    local client, server = lab:connect(net.kang, net.kodos)

    lab:wait(tonumber(net.gateway:sysctl(timeout)) * 1.5)
    local gives_up_after = lab:timer("r2", client)
    client:type "kodos, are you there?\n"
    local write = lab:expect(client):call("write"):returns(22)
    lab:expect(client):within(gives_up_after * 2):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_between(gone.t - write.t, lab:timer("r2_limit", net.kang),
      gives_up_after, "giving up")
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
