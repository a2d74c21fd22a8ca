-- Forges frames of each kind to kang. The last data comes from the real peer.
return {
  title = "Forged frames",
  asks = "Are they marked as forged?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    local conn = lab:connection(client)
    local router = lab.family == 4 and "10.0.0.254" or "fd00::254"
    conn:syn { seq = conn.rcv_nxt + 100 }
    conn:rst { seq = conn.rcv_nxt + 100 }
    conn:ack { ack = conn.snd_nxt + 100, window = 0 }
    conn:data("odd", { seq = conn.rcv_nxt - 100 })
    lab:forge { to = kang, from = router, source_port = 7, port = 9, flags = "", data = "odd" }
    lab:icmp { error = "host-unreachable", about = conn, from = router }
    lab:icmp { error = "fragmentation-needed", mtu = 1400, about = conn, from = router }
    server:type "the real thing\n"
    lab:expect(client):prints "the real thing"
  end,
}
