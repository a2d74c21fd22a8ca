-- The peer's program hangs, but its kernel answers keepalive probes and acknowledges data. The
-- writer notices only when the buffers of both kernels are full.
return {
  title = "Application frozen, kernel alive",
  asks = "Who notices that the other program hangs, and when?",
  source = "RFC 9293 section 3.8.6.1 (zero-window probing); RFC 1122 section 4.2.3.6",
  here = "Only a writer, when the buffers of both kernels are full: writes then fail with EAGAIN "
    .. "or block. Until then writes succeed, and the peer's kernel answers keepalive probes. The "
    .. "window is zero, and the writer's kernel probes it forever. When the program runs again, "
    .. "all data arrives. Measured on Linux 6.18.",
  why = "Acknowledgments come from the kernel. If no program empties the receive buffer, the "
    .. "window closes. RFC 9293 keeps the connection open for as long as the peer answers the "
    .. "probes: tcp_send_probe0() counts them in icsk_probes_out, and each answer resets the "
    .. "count.",
  tags = { "power", "windows", "keepalive" },
  quiz = {
    asks = "The server's program hangs; its host is fine. The client uses keepalive. What does "
      .. "the client notice?",
    { "Nothing, until buffers are full and writes block or fail with EAGAIN", right = true },
    { "Keepalive ends the connection: ETIMEDOUT",
      because = "The kernel answers probes, and it still runs." },
    { "Writes fail after the time that tcp_retries2 allows",
      because = "The kernel acknowledges the data, and later every window probe." },
    { "ECONNRESET when the server's buffer is full",
      because = "A full buffer closes the window. That is not an error, and it can last forever." },
  },

  run = function(lab)
    local kang, kodos = lab:pair {
      sysctls = {
        ["net.ipv4.tcp_keepalive_time"] = "1",
        ["net.ipv4.tcp_keepalive_intvl"] = "1",
        ["net.ipv4.tcp_keepalive_probes"] = "2",
      },
    }
    local client, server = lab:connect(kang, kodos, {
      client = { "--repl", "--keepalive", "//", "--sndbuf", 8192 }, server = { "--rcvbuf", 8192 },
    })

    server:freeze()
    lab:wait(1.2 * lab:timer("keepalive_timeout", kang))
    lab:expect(client):still_in_state "ESTABLISHED"

    -- dnc can fill its own kernel's buffer before the wire delivers a frame. Acknowledgments then
    -- make room again, so it is filled a second time when the window is zero and nothing is in
    -- flight: then the persist timer runs.
    local fill = ("fill 8192\n"):rep(20)
    client:type("nonblock on\n" .. fill .. "getsockopt SO_ERROR\n")
    lab:expect(client):call("write"):fails "EAGAIN"
    lab:expect(client):call("getsockopt"):returns(0)
    lab:expect_packet("kodos > kang", "zero window")
    lab:expect(lab:connection(client)):timer "persist"
    client:type(fill)
    lab:expect(client):call("write"):fails "EAGAIN"
    lab:wait(1.2 * lab:timer("r2", client))
    lab:expect(client):still_in_state "ESTABLISHED"
    client:type "poll out 0s\n"
    lab:expect(client):call("poll"):returns(0)

    server:thaw()
    client:type "poll out 5s\n"
    lab:expect(client):call("poll"):reports "OUT"
    lab:expect(client):still_in_state "ESTABLISHED"
  end,
}
