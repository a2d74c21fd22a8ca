-- A NAT keeps an entry for each connection and drops it after an idle time: five days by default on
-- Linux, minutes on many routers. It informs neither end.
local nat = include "nat.lib.lua"

return {
  title = "The NAT entry expires, and the outside writes",
  asks = "What happens to an idle connection through a NAT whose entry has expired?",
  source = "RFC 5382 section 5 (REQ-5: no less than 2 h 4 min); nf_conntrack-sysctl, "
    .. "nf_conntrack_tcp_timeout_established",
  here = "Nothing, until a program writes. A segment from outside is for the NAT itself, which "
    .. "answers with a RST: the outside gets ECONNRESET, and the inside stays ESTABLISHED. "
    .. "Measured on Linux 6.18.",
  why = "Without an entry the segment is for the NAT's own address, where no socket matches, so "
    .. "tcp_v4_send_reset() answers it. The host inside never sees it.",
  tags = { "paths", "nat", "nft", "reset" },
  quiz = {
    asks = "A NAT has dropped the entry of an idle connection. The server, outside, writes. What "
      .. "does each end see?",
    { "The server: ECONNRESET. The client, inside: nothing", right = true,
      because = "The client gets ECONNRESET only when it writes itself, as at the end of this "
        .. "run." },
    { "Both: ECONNRESET",
      because = "Without the entry the NAT does not know which inside host to inform." },
    { "The client gets the data: its kernel has the connection",
      because = "But its address is private. The segment is for the NAT, which has no such "
        .. "socket." },
    { "The server: ETIMEDOUT. The client: nothing",
      because = "A firewall that drops would cause that. Here the NAT's own kernel answers." },
  },

  run = function(lab)
    local net = nat.network(lab)
    local client, server = lab:connect(net.kang, net.kodos)
    server:type "in time\n"
    lab:expect(client):prints "in time"

    nat.wait_until_it_forgets(lab)
    lab:expect(client):still_in_state "ESTABLISHED"
    server:type "too late\n"
    lab:expect(server):call("write"):returns(9)
    lab:expect_packet("gateway > kodos", "RST")
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):in_state "CLOSED"
    lab:expect(client):still_in_state "ESTABLISHED"

    client:type "anybody?\n"
    lab:expect(client):call("read"):fails "ECONNRESET"
  end,
}
