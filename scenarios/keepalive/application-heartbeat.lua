-- A program sends a ping and waits a limited time for the answer of the other program, not of its
-- kernel. This finds a peer that hangs, which TCP keepalive cannot do.
return {
  title = "Application heartbeat",
  asks = "How does a program find out quickly that the other program is dead or hangs?",
  source = "RFC 1122 section 4.2.3.6 (discussion); poll(2)",
  here = "It sends a ping and limits the time for the pong. The frozen program's kernel "
    .. "acknowledges the ping, but no pong comes. poll returns 0 after the time limit, and the "
    .. "client resets the connection. Measured on Linux 6.18.",
  why = "An acknowledgment means that a kernel has the bytes. Only an answer from the program "
    .. "shows that the program works. With a heartbeat, the program chooses when to give up, not "
    .. "tcp_retries2 or tcp_keepalive_time.",
  tags = { "keepalive", "power" },

  run = function(lab)
    local poll_timeout = 0.5 -- seconds in which the other program must answer
    local client, server = lab:connected { client = { "--repl" }, server = { "--repl" } }

    client:type("write ping\npoll in " .. poll_timeout .. "s\nread\n")
    lab:expect(client):call("write"):returns(4)
    server:type "read\nwrite pong\n"
    lab:expect(client):call("poll"):reports "IN"
    lab:expect(client):call("read"):returns(4)

    server:freeze()
    client:type("write ping\npoll in " .. poll_timeout .. "s\n")
    lab:expect(client):call("write"):returns(4)
    lab:expect_packet("kodos > kang", "ACK only")
    local timed_out = lab:expect(client):call("poll"):returns(0)
    lab:expect_time(timed_out.t - timed_out.entered, poll_timeout, "the poll timeout")
    client:type "setsockopt SO_LINGER 0\nclose\n"
    lab:expect_packet("kang > kodos", "RST")
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):in_state "CLOSED"
  end,
}
