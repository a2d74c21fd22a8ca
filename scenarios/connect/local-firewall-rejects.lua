-- A firewall on the client's own host rejects the SYN. Its ICMP error arrives while connect is
-- still sending the SYN, so the kernel only remembers it. connect fails one second late, when the
-- firewall rejects the second SYN.
return {
  title = "Local firewall rejects the SYN",
  asks = "What does connect return if a firewall on the client's own host rejects its SYN?",
  source = "nft(8), reject; RFC 9293 section 3.9.2.2; icmp(7); ip(7), IP_RECVERR",
  here = "reject: ECONNREFUSED after one second. reject with tcp reset: ECONNREFUSED at once. "
    .. "reject with admin-prohibited: EHOSTUNREACH on IPv4 and EACCES on IPv6, after one second. "
    .. "No frame leaves. Measured on Linux 6.18.",
  why = "The ICMP error arrives while connect(2) is still in tcp_connect() and holds the socket's "
    .. "lock (sock_owned_by_user()). tcp_v4_err() then stores it as a soft error. A RST instead "
    .. "waits in the socket's backlog until the socket is unlocked. icmp_err_convert and "
    .. "icmpv6_err_convert() give the errnos.",
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
    local next_syn = lab:timer("initial_rto", kang)
    refusal(8081, "ECONNREFUSED", next_syn, "reject")
    refusal(8082, "ECONNREFUSED", 0, "reject with tcp reset")
    refusal(8083, lab.family == 4 and "EHOSTUNREACH" or "EACCES", next_syn, "admin-prohibited")
    lab:never_packet(0.1 * lab.second, "kang > kodos", "tcp")
  end,
}
