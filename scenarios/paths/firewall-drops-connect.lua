-- The third no is silence, and costs the one who asks minutes.
return {
  title = "A firewall drops the SYN",
  asks = "What does connect(2) say when a firewall drops it silently?",
  source = "ip-sysctl, tcp_syn_retries; nft(8)",
  here = "ETIMEDOUT when the SYN's retries are used up: 135 s with the defaults. "
    .. "Measured on Linux 6.18.",
  why = "To the sender a silent firewall is a black hole: the SYN timer runs its course.",
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
    local syn = lab:expect_packet("kang > gateway", "tcp[tcpflags] = tcp-syn")
    local gives_up_after = lab:timer("connect_timeout", net.kang)
    lab:expect(client):within(gives_up_after * 1.5):call("connect"):fails "ETIMEDOUT"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_time(gone.t - syn.t, gives_up_after, "connect's giving up")
    lab:expect(net.kodos):has_no_connection()
  end,
}
