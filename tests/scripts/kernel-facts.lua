return {
  title = "What the kernel says about a connection",
  asks = "Do the fields of a connection follow the kernel?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_rmem"] = "4096 8192 8192" } }
    local repl = { "--repl" }
    local client, server = lab:connect(kang, kodos, { client = repl, server = repl })
    local conn, peer = lab:connection(client), lab:connection(server)
    local function check(condition, claim)
      if not condition then error(claim) end
    end
    check(conn.timer == nil and conn.timer_expires == nil, "an idle connection has a timer")
    check(conn.send_queue == 0 and conn.receive_queue == 0, "an idle connection has data")
    check(conn.cwnd == 10 and conn.ssthresh > 1000, "RFC 6928: cwnd begins with 10 segments")
    check(conn.rto >= 0.2 and conn.srtt > 0 and conn.srtt < conn.rto, "rto " .. conn.rto)

    client:type "write hello\n"
    lab:expect(client):call("write"):returns(5)
    lab:expect_packet("kodos > kang", "ACK only", { ack = 6 })
    check(conn.send_queue == 0 and peer.receive_queue == 5, "queue " .. peer.receive_queue)

    local acks = lab:cut "kodos > kang"
    client:type "write lost\n"
    lab:expect(conn):timer "retransmit"
    local expires = conn.timer_expires
    check(expires > lab:now() and expires < lab:now() + 2, "it expires at " .. expires)
    check(conn.send_queue == 4, "send queue " .. conn.send_queue)
    lab:expect_packet("kang > kodos", "retransmission", { seq = 6 })
    acks:remove()
    lab:expect_packet("kodos > kang", "ACK only", { ack = 10 })

    client:type "setsockopt SO_KEEPALIVE on\n"
    lab:expect(client):timer "keepalive"
    client:type "setsockopt SO_KEEPALIVE off\nfill 30000\n"
    lab:expect_packet("kodos > kang", "zero window")
    lab:expect(kang):timer "persist"
    check(conn.send_queue > 0, "all was sent")
    server:kill()
    lab:expect(conn):in_state "CLOSED"
    check(conn.timer == nil and conn.rto == nil and conn.cwnd == nil, "a closed connection")
  end,
}
