-- The program hangs, its kernel does not: keepalive is answered, data is acknowledged, and to TCP
-- all is well. The writer notices when the buffers of both kernels are full.
return {
  title = "Application frozen, kernel alive",
  asks = "Who notices that the other program hangs, and when?",
  source = "RFC 9293 section 3.8.6.1 (zero-window probing); RFC 1122 section 4.2.3.6",
  here = "Keepalive probes are answered. Writes succeed until the buffers are full, then EAGAIN "
    .. "(or block); the window is zero and is probed for ever. Thawed, all arrives. Linux, "
    .. "measured on 6.18.",
  why = "Acknowledgments come from the kernel. A receive buffer that nobody empties closes the "
    .. "window; RFC 9293 has the connection stay open for as long as the probes are answered "
    .. "(tcp_send_probe0(), icsk_probes_out is reset by each answer).",
  tags = { "power", "windows", "keepalive" },
  quiz = {
    asks = "The server's program hangs; its host is well. The client has keepalive on. What "
      .. "does the client notice?",
    { "Nothing, until buffers are full and writes block or say EAGAIN", right = true },
    { "Keepalive ends the connection: ETIMEDOUT",
      because = "Probes are answered by the kernel, and that one lives." },
    { "Writes fail after tcp_retries2's time",
      because = "The kernel acknowledges all of them, and then each probe of the window." },
    { "ECONNRESET when the server's buffer is full",
      because = "A full buffer closes the window. That is no error, and may last for ever." },
  },

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_keepalive_time"] = "1",
      ["net.ipv4.tcp_keepalive_intvl"] = "1",
      ["net.ipv4.tcp_keepalive_probes"] = "2",
    } }
    local server = kodos:dnc("--rcvbuf", 8192, "-l", 8080)
    local client = kang:dnc("--repl", "--keepalive", "//", "--sndbuf", 8192, kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    server:freeze()
    lab:wait(1.2 * lab:timer("keepalive_timeout", kang))
    lab:expect(client):still_in_state "ESTABLISHED"

    client:type("nonblock on\n" .. ("fill 8192\n"):rep(20))
    lab:expect(client):call("write"):fails "EAGAIN"
    lab:expect_packet("kodos > kang", "tcp[tcpflags] = tcp-ack and tcp[14:2] = 0")
    lab:wait(1.2 * lab:timer("retransmission_timeout", client))
    lab:expect(client):still_in_state "ESTABLISHED"
    client:type "poll out 0s\n"
    lab:expect(client):call("poll"):returns(0)

    server:thaw()
    client:type "poll out 5s\n"
    lab:expect(client):call("poll"):reports "OUT"
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
