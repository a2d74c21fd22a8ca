-- A firewall can refuse a connect with a RST, with an ICMP error, or with silence. Silence costs
-- the client minutes.
return {
  title = "A firewall drops the SYN",
  asks = "What does connect(2) return if a firewall silently drops the SYN?",
  source = "ip-sysctl, tcp_syn_retries; nft(8)",
  here = "ETIMEDOUT when the client's kernel gives up retransmitting the SYN: after 135 s by "
    .. "default. Measured on Linux 6.18.",
  why = "For the client a silent firewall is a black hole: it retransmits the SYN tcp_syn_retries "
    .. "times, then gives up.",
  tags = { "paths", "firewall", "nft", "connect" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
    }
    net.gateway:nft [[
      table inet filter {
        chain forward { type filter hook forward priority filter; tcp dport 8080 drop; }
      }
    ]]
    net.kodos:dnc("-l", 8080)
    local client = net.kang:dnc(net.kodos, 8080)
    local syn = lab:expect_packet("kang > gateway", "SYN")
    local gives_up_after = lab:timer("syn_r2", net.kang)
    lab:expect(client):within(gives_up_after * 1.5):call("connect"):fails "ETIMEDOUT"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_time(gone.t - syn.t, gives_up_after, "giving up")
    lab:expect(net.kodos):has_no_connection()
  end,
}
