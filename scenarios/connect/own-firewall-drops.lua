-- A firewall on the client's own host may be the one that says nothing. Then nothing is on the wire
-- either, which is how to tell: a capture on this host shows no SYN at all.
return {
  title = "One's own firewall drops",
  asks = "What does connect see when a firewall on the client's own host drops its SYN?",
  source = "nft(8); ip-sysctl, tcp_syn_retries; connect(2), EPERM",
  here = "ETIMEDOUT, as with any black hole, and as late; no frame leaves. Not EPERM, which is "
    .. "what UDP's sendto(2) says. Linux 6.18.",
  why = "ip_local_out() answers tcp_transmit_skb() with -EPERM, and tcp_connect() takes that for a "
    .. "loss: only ECONNREFUSED ends it at once. The SYN's timer goes on as always.",
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
    local gives_up_after = lab:timer("connect_timeout", kang)
    local patience = gives_up_after * 1.5 + 2 * lab.second
    lab:never_packet(gives_up_after / 2, "kang > kodos", "tcp")
    local connect = lab:expect(client):within(patience):call("connect"):fails "ETIMEDOUT"
    lab:expect_time(connect.t - connect.entered, gives_up_after, "giving up")
    lab:expect(kodos):has_no_connection()
  end,
}
