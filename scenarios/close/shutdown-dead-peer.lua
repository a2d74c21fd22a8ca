-- The server's host dies, and the client shuts down its sending side. The client keeps its socket
-- and waits for an answer, so read returns the error. After close(2), no program would see it.
return {
  title = "Dead peer after shutdown(SHUT_WR)",
  asks = "Does a program that called shutdown(SHUT_WR) find out that its last data never arrived?",
  source = "RFC 9293 section 3.10.8; ip-sysctl, tcp_retries2, tcp_orphan_retries",
  here = "Yes, if it keeps its socket. read fails with ETIMEDOUT after the time that tcp_retries2 "
    .. "allows; tcp_orphan_retries does not apply. Measured on Linux 6.18.",
  why = "tcp_write_timeout() uses tcp_orphan_retries only for sockets without a program "
    .. "(SOCK_DEAD). To know that the peer has everything, call shutdown, read until 0, then "
    .. "close.",
  tags = { "close", "power", "half-close" },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_orphan_retries"] = "1" } }
    local client = lab:connect(kang, kodos, { client = { "--repl" } })

    kodos:power_off()
    local gives_up_after = lab:timer("r2", client)
    client:type "write goodbye\nshutdown wr\nread\n"
    local shutdown = lab:expect(client):call("shutdown"):returns(0)
    lab:expect(client):in_state "FIN_WAIT1"
    local read = lab:expect(client):within(gives_up_after * 1.5 + 2):call("read"):fails "ETIMEDOUT"
    lab:expect_time(read.t - shutdown.entered, gives_up_after, "giving up")
    lab:expect(client):in_state "CLOSED"
  end,
}
