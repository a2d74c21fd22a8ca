-- Keepalive works only on idle connections. While written data is unacknowledged, only the
-- retransmission timer counts. By default the kernel then gives up after a quarter of an hour,
-- whatever the keepalive times are.
return {
  title = "Keepalive does not help a writer",
  asks = "Does keepalive end a connection sooner when the program has just written?",
  source = "tcp(7), SO_KEEPALIVE; RFC 1122 section 4.2.3.6; tcp_keepalive_timer()",
  here = "No. The kernel sends no probe while data is unacknowledged. ETIMEDOUT comes after the "
    .. "time that tcp_retries2 allows, not after the keepalive times. Measured on Linux 6.18.",
  why = "If data is in flight or waits to be sent, tcp_keepalive_timer() only rearms itself: \"It "
    .. "is alive without keepalive\". A program that writes needs TCP_USER_TIMEOUT.",
  tags = { "keepalive", "power" },
  quiz = {
    asks = "Keepalive is set to find a dead peer within 2 seconds. The peer dies, and the program "
      .. "writes at once. When does the program get an error?",
    { "After the time that tcp_retries2 allows: by default much later than 2 s", right = true,
      because = "A program that writes and wants the error sooner sets TCP_USER_TIMEOUT." },
    { "After 2 seconds, by keepalive",
      because = "The kernel sends no probe while data is not acknowledged." },
    { "At once: the write fails",
      because = "write only fills a buffer, and no kernel knows yet that the peer is dead." },
    { "After 2 seconds, counted from the write",
      because = "The keepalive timer does nothing while data is in flight." },
  },

  run = function(lab)
    local kang, kodos = lab:pair {
      sysctls = {
        ["net.ipv4.tcp_keepalive_time"] = "1",
        ["net.ipv4.tcp_keepalive_intvl"] = "1",
        ["net.ipv4.tcp_keepalive_probes"] = "1",
        ["net.ipv4.tcp_retries2"] = "3",
      },
    }
    local client = lab:connect(kang, kodos, { client = { "--keepalive", "//" } })

    kodos:power_off()
    client:type "kodos, are you there?\n"
    local write = lab:expect(client):call("write"):returns(22)
    local gives_up_after = lab:timer("r2", client)
    lab:never(client, 1.5 * lab:timer("keepalive_timeout", kang)):in_state "CLOSED"
    lab:expect(client):within(gives_up_after):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_time(gone.t - write.entered, gives_up_after, "giving up")
  end,
}
