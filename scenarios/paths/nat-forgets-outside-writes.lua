-- A NAT keeps an entry for each connection, and drops it when the connection has been idle for too
-- long: five days by Linux's default, minutes in many a router. Neither end is told.
return {
  title = "The NAT entry idles out, and the outside writes",
  asks = "What happens to an idle connection through a NAT whose entry has expired?",
  source = "RFC 5382 section 5 (REQ-5: no less than 2 h 4 min); "
    .. "nf_conntrack-sysctl, nf_conntrack_tcp_timeout_established; CATALOGUE",
  here = "Nothing, until somebody writes. From outside that is a segment to the NAT itself, which "
    .. "answers RST: ECONNRESET there, while inside goes on believing. Measured on Linux 6.18.",
  why = "Without an entry the segment is for the NAT's own address, on which no socket is: "
    .. "tcp_v4_send_reset(). The host inside never hears of it.",
  tags = { "paths", "nat", "nft", "reset" },
  quiz = {
    asks = "A NAT has forgotten an idle connection. The server, outside, writes. What does each "
      .. "end learn of that write?",
    { "The server: ECONNRESET. The client, inside: nothing", right = true,
      because = "The client learns only when it writes itself, as it did at the end." },
    { "Both: ECONNRESET",
      because = "The NAT has forgotten who was inside: there is nobody whom it could tell." },
    { "The client gets the data: its kernel has the connection",
      because = "But its address is private. The segment is for the NAT, which has no such "
        .. "socket." },
    { "The server: ETIMEDOUT. The client: nothing",
      because = "A firewall that drops would do that. A NAT's own kernel answers." },
  },

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
    server:type "in time\n"
    lab:expect(client):prints "in time"

    lab:wait(tonumber(net.gateway:sysctl(timeout)) * 1.5)
    lab:expect(client):still_in_state "ESTABLISHED"
    server:type "too late\n"
    lab:expect(server):call("write"):returns(9)
    lab:expect_packet("gateway > kodos", "tcp[tcpflags] & tcp-rst != 0")
    lab:expect(server):call("read"):fails "ECONNRESET"
    lab:expect(server):in_state "CLOSED"
    lab:expect(client):still_in_state "ESTABLISHED"

    client:type "anybody?\n"
    lab:expect(client):call("read"):fails "ECONNRESET"
  end,
}
