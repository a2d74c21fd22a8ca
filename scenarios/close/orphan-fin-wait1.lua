-- The program writes, closes and goes on while the peer is dead. The kernel keeps a socket in
-- FIN_WAIT1 with the undelivered data. After an outage there can be thousands of these orphans.
return {
  title = "Orphan in FIN_WAIT1, peer dead",
  asks = "What happens to a connection that is closed while its peer is dead?",
  source = "ip-sysctl, tcp_orphan_retries, tcp_max_orphans; RFC 9293 section 3.10.8",
  here = "close returns 0. The socket stays in FIN_WAIT1 for the time that tcp_orphan_retries "
    .. "allows: about 107 s with the default 0, which stands for 8. Then it is gone, and no "
    .. "program learns that the data never arrived. Measured on Linux 6.18.",
  why = "tcp_close() leaves the socket to the kernel as an orphan (SOCK_DEAD), which counts "
    .. "towards tcp_max_orphans. For an orphan, tcp_write_timeout() uses tcp_orphan_retries() "
    .. "instead of tcp_retries2; the arithmetic is the same.",
  tags = { "close", "orphan", "power" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local client = lab:connect(kang, kodos, { client = { "--repl" } })

    kodos:power_off()
    local gives_up_after = lab:timer("orphan_r2", client)
    client:type "write goodbye\nclose\n"
    lab:expect(client):call("write"):returns(7)
    local close = lab:expect(client):call("close"):returns(0)
    lab:expect(client):in_state "FIN_WAIT1"
    local gone = lab:expect(client):within(gives_up_after * 1.5 + 2):in_state "CLOSED"
    lab:expect_time(gone.t - close.entered, gives_up_after, "the orphan timeout in FIN_WAIT1")
    lab:expect(client):still_runs()
  end,
}
