-- A firewall on the client's own host drops the SYN. The program sees the same as with a black
-- hole. A capture on the client shows the difference: there is no SYN.
return {
  title = "Local firewall drops the SYN",
  asks = "What does connect return if a firewall on the client's own host drops its SYN?",
  source = "nft(8); ip-sysctl, tcp_syn_retries; connect(2), EPERM",
  here = "ETIMEDOUT, after the same time as with a black hole; no frame leaves. The errno is not "
    .. "EPERM, which sendto(2) returns for UDP. Measured on Linux 6.18.",
  why = "ip_local_out() returns -EPERM to tcp_transmit_skb(). tcp_connect() treats this as a lost "
    .. "segment: only ECONNREFUSED would end the attempt at once. The SYN's retransmission timer "
    .. "runs as usual.",
  tags = { "connect", "timeout", "firewall", "nft" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    kang:nft [[
      table inet filter {
        chain output { type filter hook output priority filter; tcp dport 8080 drop; }
      }
    ]]
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "SYN_SENT"
    local gives_up_after = lab:timer("syn_r2", kang)
    local time_limit = gives_up_after * 1.5 + 2 * lab.second
    lab:never_packet(gives_up_after / 2, "kang > kodos", "tcp")
    local connect = lab:expect(client):within(time_limit):call("connect"):fails "ETIMEDOUT"
    lab:expect_time(connect.t - connect.entered, gives_up_after, "giving up")
    lab:expect(kodos):has_no_connection()
  end,
}
