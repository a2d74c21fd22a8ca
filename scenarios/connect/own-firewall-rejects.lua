-- A firewall on the client's own host may refuse instead. Its ICMP error is there before connect
-- has gone to sleep, and that is too early: it counts only when the second SYN meets it again.
return {
  title = "One's own firewall rejects",
  asks = "What does connect see when a firewall on the client's own host rejects its SYN?",
  source = "nft(8), reject; RFC 9293 section 3.9.2.2; icmp(7); ip(7), IP_RECVERR",
  here = "reject: ECONNREFUSED, a second late. reject with tcp reset: ECONNREFUSED at once. reject "
    .. "with admin-prohibited, a second late, too: EHOSTUNREACH on IPv4, EACCES on IPv6. No frame "
    .. "leaves. Linux 6.18.",
  why = "The error arrives inside connect(2)'s own call of tcp_connect(), while the socket is "
    .. "locked; tcp_v4_err() then keeps it as a soft error and goes on (sock_owned_by_user()). A "
    .. "RST waits in the socket's backlog until it is unlocked. The errors are icmp_err_convert's "
    .. "and icmpv6_err_convert()'s.",
  tags = { "connect", "refused", "firewall", "nft", "icmp" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kang:nft [[
      table inet filter {
        chain output {
          type filter hook output priority filter;
          tcp dport 8081 reject
          tcp dport 8082 reject with tcp reset
          tcp dport 8083 reject with icmpx admin-prohibited
        }
      }
    ]]
    local function refusal(port, errno, after, what)
      local client = kang:dnc(kodos, port)
      local connect = lab:expect(client):call("connect"):fails(errno)
      lab:expect_time(connect.t - connect.entered, after, what)
    end
    local next_syn = lab:timer("initial_timeout", kang)
    refusal(8081, "ECONNREFUSED", next_syn, "reject")
    refusal(8082, "ECONNREFUSED", 0, "reject with tcp reset")
    refusal(8083, lab.family == 4 and "EHOSTUNREACH" or "EACCES", next_syn, "admin-prohibited")
    lab:never_packet(0.1 * lab.second, "kang > kodos", "tcp")
  end,
}
