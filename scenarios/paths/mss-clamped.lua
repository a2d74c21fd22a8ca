-- The usual cure for a path MTU black hole: the router at the narrow link writes a smaller MSS into
-- every SYN that it forwards. The two ends do not notice.
return {
  title = "A router clamps the MSS",
  asks = "What does \"clamp MSS to path MTU\" do to a connection?",
  source = "nft(8), tcp option maxseg size set rt mtu; RFC 4459; RFC 2923 section 2.1",
  here = "The SYN and the SYN/ACK arrive with a smaller MSS than their senders announced: that of "
    .. "the narrow link. Large writes arrive although ICMP is filtered. Measured on Linux 6.18.",
  why = "nft_exthdr_tcp_set_eval() lowers the option to the route's MTU minus the headers and "
    .. "corrects the checksum. This helps only TCP, not QUIC or anything else on the same path.",
  tags = { "paths", "router", "mtu", "mss", "firewall", "middlebox" },

  run = function(lab)
    local narrow = 1300
    local net = lab:network {
      links = { lan = {}, middle = { mtu = narrow }, wan = {} },
      hosts = {
        kang = { "lan" }, near = { "lan", "middle" }, far = { "middle", "wan" }, kodos = { "wan" },
      },
    }
    net.near:nft [[
      table inet filter {
        chain out { type filter hook output priority filter; meta l4proto { icmp, icmpv6 } drop; }
        chain clamp {
          type filter hook forward priority mangle;
          tcp flags syn tcp option maxseg size set rt mtu
        }
      }
    ]]
    local server = net.kodos:dnc("-l", 8080)
    local client = net.kang:dnc(net.kodos, 8080)
    local headers = lab.family == 4 and 40 or 60
    local function expect_mss(direction, mss)
      local syn = lab:expect_packet(direction, "tcp[tcpflags] & tcp-syn != 0")
      lab:check(syn.summary:find("mss " .. mss .. ",", 1, true), "the MSS is " .. mss, syn.summary)
    end
    expect_mss("kang > near", 1500 - headers)
    expect_mss("near > far", narrow - headers)
    expect_mss("far > near", 1500 - headers)
    expect_mss("near > kang", narrow - headers)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    client:type(("x"):rep(1600) .. "the end\n")
    lab:expect(server):prints "the end"
  end,
}
