-- "TCP: time wait bucket table overflow": beyond tcp_max_tw_buckets the kernel skips TIME_WAIT. If
-- the last ACK is lost, no socket is left to acknowledge the peer's retransmitted FIN.
return {
  title = "Too many sockets in TIME_WAIT",
  asks = "What happens to a closed connection when tcp_max_tw_buckets is reached?",
  source = "ip-sysctl, tcp_max_tw_buckets; RFC 1337; RFC 9293 section 3.6.1",
  here = "It skips TIME_WAIT. When the peer's FIN arrives, the side that closed first goes from "
    .. "FIN_WAIT2 to CLOSED. Here its last ACK is lost, so the peer retransmits its FIN and gets a "
    .. "RST. Measured on Linux 6.18.",
  why = "Beyond the limit, inet_twsk_alloc() returns NULL. tcp_time_wait() then counts "
    .. "TCPTimeWaitOverflow and calls tcp_done(). ip-sysctl warns administrators not to lower the "
    .. "limit artificially.",
  tags = { "close", "time-wait", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kang:sysctl("net.ipv4.tcp_max_tw_buckets", 0)
    local client, server = lab:connect(kang, kodos, {
      client = { "--repl" }, server = { "--repl" },
    })

    client:type "shutdown wr\n"
    lab:expect(server):in_state "CLOSE_WAIT"
    lab:expect(client):in_state "FIN_WAIT2"
    local last_ack = lab:lose("kang > kodos", "ACK only", { count = 1 })
    server:type "close\n"
    lab:expect(server):in_state "LAST_ACK"
    lab:expect(client):in_state "CLOSED"
    lab:expect_packet("kang > kodos", "ACK only", { fate = "lost" })
    last_ack:remove()
    lab:expect_packet("kodos > kang", "FIN")
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(server):in_state "CLOSED"
  end,
}
